import { ServiceFailure } from '../http/failure';
import type { JsonObject } from '../http/json';
import {
	emptyRecords,
	partialList,
	shortList,
	uncheckedList,
	unprovedEnd,
	unstableList,
} from './hints';
import { ListReader } from './listReader';
import { count } from './pages/page';
import type { List, ListSource, Paging } from './types';

/**
 * Reads a whole list, or up to a limit. A hint says if it may be incomplete.
 *
 * @throws ServiceFailure if a page can't be read, unless the rows before it should be returned
 */
export async function readList(paging: Paging, source: ListSource): Promise<List> {
	const { limit = Number.POSITIVE_INFINITY, pageSize, pagesInParallel } = paging;
	const { readPage, identity } = source;
	const reader = new ListReader(readPage, { pageSize, pagesInParallel, identity });
	try {
		await reader.read(limit);
		let returned = returnedRows(reader, source);
		while (returned.rows.length < limit && !reader.ended) {
			await reader.read(reader.joined.rows.length + pageSize);
			returned = returnedRows(reader, source);
		}
		return withHints(reader, returned, limit);
	} catch (error) {
		return afterFailure(error, reader, paging, source);
	}
}

function withHints(reader: ListReader, { rows, empty, repeated }: Returned, limit: number): List {
	const doubts = incompleteness(reader, Math.min(rows.length, limit), repeated, limit);
	return listOf(rows.slice(0, limit), [aboutEmpty(empty), doubts]);
}

function incompleteness(
	{ end, unstable, unchecked }: ListReader,
	have: number,
	repeated: boolean,
	limit: number,
): string | undefined {
	const { total = 0, isShort } = end;
	if (unstable || repeated) return unstableList(have, end.total);
	if (unchecked) return uncheckedList(have);
	return isShort && have < limit ? shortList(have, total) : undefined;
}

interface Returned {
	rows: JsonObject[];
	/** How many rows were left out because they were empty. */
	empty: number;
	/** Whether an ID appeared twice. */
	repeated: boolean;
}

/**
 * The rows to return: each ID once, without empty rows and without those just outside the range.
 */
function returnedRows({ joined }: ListReader, { isExtra }: ListSource): Returned {
	const seen = new Set<unknown>();
	let [empty, repeated] = [0, false];
	const rows = joined.all.filter((row) => {
		const id = joined.identity.idOf(row);
		if (id !== undefined) {
			if (seen.size === seen.add(id).size) return !(repeated = true);
		} else if (isEmpty(row)) {
			empty++;
			return false;
		}
		return !isExtra?.(row);
	});
	return { rows, empty, repeated };
}

/** @throws the page's failure, if nothing was read or a partial list isn't wanted */
function afterFailure(
	error: unknown,
	reader: ListReader,
	{ limit, onPageFailure }: Paging,
	source: ListSource,
): List {
	const { rows, empty } = returnedRows(reader, source);
	if (!(error instanceof ServiceFailure) || error.details.kind === 'cancelled') throw error;
	const isEnd = isPastEnd(reader, error);
	if (!isEnd && rows.length === 0) throw error;
	if (isEnd || onPageFailure === 'partial') {
		const hint = isEnd
			? unprovedEnd(rows.length, error)
			: partialList(rows.length, reader.end.total, error);
		return listOf(rows.slice(0, limit), [aboutEmpty(empty), hint]);
	}
	const { advice, changes } = error.details;
	throw error.with({
		advice: `${advice === undefined ? '' : `${advice}. `}${count(rows.length)} records were read before it`,
		changes: { ...changes, onPageFailure: 'set On Page Failure to Return What Was Read' },
	});
}

/**
 * Whether a service refuses to be asked for more than the total that was read. A service that is down
 * doesn't say whether there is more; and a round total may be only as far as it counts, and pages.
 */
function isPastEnd({ end }: ListReader, { details }: ServiceFailure): boolean {
	const { isAtTotal, total = 0 } = end;
	return isAtTotal && (details.status === 400 || details.status === 422) && total % 100 > 0;
}

/** A list without pages, without its empty rows. */
export function withoutEmpty({ rows, hint }: List): List {
	const kept = rows.filter((row) => !isEmpty(row));
	return listOf(kept, [aboutEmpty(rows.length - kept.length), hint]);
}

/** Whether the service sent something else than a record, or one without fields. */
export function isEmpty(row: JsonObject): boolean {
	return Object.keys(row).length === 0;
}

function aboutEmpty(number: number): string | undefined {
	return number > 0 ? emptyRecords(number) : undefined;
}

function listOf(rows: JsonObject[], hints: Array<string | undefined>): List {
	const hint = hints.filter(Boolean).join(' ');
	return hint === '' ? { rows } : { rows, hint };
}
