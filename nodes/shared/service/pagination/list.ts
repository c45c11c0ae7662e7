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
import { count } from './page';
import type { Identity, List, Paging, ReadPage } from './types';

/**
 * Reads a list to its end, or up to a limit. A hint says so if it may be incomplete.
 *
 * @throws ServiceFailure if a page can't be read, unless the rows before it are to be returned
 */
export async function readList(
	paging: Paging,
	readPage: ReadPage,
	identity: Identity,
): Promise<List> {
	const { limit = Number.POSITIVE_INFINITY, pageSize, pagesInParallel } = paging;
	const reader = new ListReader(readPage, { limit, pageSize, pagesInParallel, identity });
	try {
		await reader.read();
	} catch (error) {
		return afterFailure(error, reader, paging, identity);
	}
	const { rows, empty, repeated } = uniqueRows(reader.joined.rows, identity);
	const hints: Array<string | undefined> = [];
	if (empty > 0) hints.push(emptyRecords(empty));
	hints.push(incompleteness(reader, Math.min(rows.length, limit), repeated, limit));
	return listOf(rows.slice(0, limit), hints);
}

function incompleteness(
	{ total, unstable, unchecked, joined }: ListReader,
	have: number,
	repeated: boolean,
	limit: number,
): string | undefined {
	if (unstable || repeated) return unstableList(have, total);
	if (unchecked) return uncheckedList(have);
	const isShort = have < limit && total !== undefined && total > joined.end;
	return isShort ? shortList(have, total) : undefined;
}

/** Rows as they are returned: without empty ones, and without IDs that came before. */
function uniqueRows(all: JsonObject[], identity: Identity) {
	const seen = new Set<unknown>();
	let empty = 0;
	const rows = all.filter((row) => {
		const { id } = row;
		if (identity === 'id' && (typeof id === 'number' || (typeof id === 'string' && id !== ''))) {
			return seen.size < seen.add(id).size;
		}
		const isEmpty = Object.keys(row).length === 0;
		if (isEmpty) empty++;
		return !isEmpty;
	});
	return { rows, empty, repeated: rows.length + empty < all.length };
}

/** @throws what the page failed of, if nothing was read or the rest isn't to be returned without it */
function afterFailure(
	error: unknown,
	reader: ListReader,
	{ limit, onPageFailure }: Paging,
	identity: Identity,
): List {
	const { rows } = uniqueRows(reader.joined.rows, identity);
	const isPassing = error instanceof ServiceFailure && error.details.kind !== 'cancelled';
	if (!isPassing || (rows.length === 0 && !reader.reachedTotal)) throw error;
	if (reader.reachedTotal) return listOf(rows.slice(0, limit), [unprovedEnd(rows.length, error)]);
	if (onPageFailure === 'partial') {
		return listOf(rows.slice(0, limit), [partialList(rows.length, reader.total, error)]);
	}
	const { advice } = error.details;
	throw error.with({
		advice: `${advice === undefined ? '' : `${advice}. `}${count(rows.length)} records were read before it. To keep them, set On Page Failure to Return What Was Read under Options`,
	});
}

function listOf(rows: JsonObject[], hints: Array<string | undefined>): List {
	const hint = hints.filter(Boolean).join(' ');
	return hint === '' ? { rows } : { rows, hint };
}
