import { ServiceFailure } from '../http/failure';
import { Gate } from './gate';
import { disagreement, partialList, shortList } from './hints';
import { haveIds, withoutRepeats } from './repeats';
import type { Identity, List, Paging, ReadPage } from './types';
import { Walk } from './walk';

/** How often a list is read again when it does not agree with what the service reports. */
const MAX_REREADS = 3;

/** What is known of a list after one walk or several. */
interface Known {
	rows: List['rows'];
	total: number | undefined;
	/** Whether each row can be told by its id. */
	byId: boolean;
	/** Whether the service repeated pages. */
	repeated: boolean;
	/** Whether rows may have moved to places that had been read. */
	moved: boolean;
}

/**
 * Reads a list to its end, or up to a limit, and makes sure that it is whole: what it holds must
 * agree with the total that the service reports (contract 2.1). If it does not, the list is read
 * again; if it still does not, a hint says so with both numbers.
 *
 * @throws ServiceFailure when a page cannot be read, unless the rows before it are wanted
 */
export async function readList(
	paging: Paging,
	readPage: ReadPage,
	identity: Identity,
): Promise<List> {
	const wanted = paging.limit ?? Number.POSITIVE_INFINITY;
	const keepsGoing = paging.onPageFailure === 'partial';
	const gate = new Gate(paging.pagesInParallel);
	let known: Known | undefined;
	for (let reread = 0; reread <= MAX_REREADS; reread++) {
		const { pageSize } = paging;
		const walk = new Walk(readPage, { wanted, pageSize, identity, gate, keepsGoing });
		await walk.run();
		if (walk.failure !== undefined) return partial(walk, known, paging);
		const walked = knownFrom(walk, identity);
		const merged = known ? merge(known, walked) : walked;
		for (const candidate of [walked, merged]) {
			if (agrees(candidate, wanted)) return { rows: candidate.rows.slice(0, wanted) };
		}
		const nothingNew = known?.rows.length === merged.rows.length && known.total === merged.total;
		known = merged;
		if (nothingNew && !walked.repeated && !walked.moved) break;
	}
	const { rows = [], total } = known ?? {};
	return { rows: rows.slice(0, wanted), hint: disagreement(rows.length, total) };
}

function knownFrom({ rows, pages }: Walk, identity: Identity): Known {
	const { total, totalChanged, totalShrank, repeated } = pages;
	const byId = identity === 'id' && haveIds(rows);
	// New rows move others back: what is read twice has an id. Deleted rows move others forward,
	// to where they are not read, while the deleted ones are held.
	return { rows, total, repeated, byId, moved: byId ? totalShrank : totalChanged };
}

/** Whether the rows are certain to be all, or as many as are wanted. */
function agrees({ rows, total, byId, repeated, moved }: Known, wanted: number): boolean {
	if (!byId && (repeated || moved)) return false;
	if (rows.length >= wanted) return true;
	return total === undefined ? !repeated : rows.length === total && !moved;
}

/** Rows with ids are put together; of rows without, the walk is kept that came closer. */
function merge(known: Known, walked: Known): Known {
	if (!known.byId || !walked.byId) {
		return distance(known) < distance(walked) ? { ...known, total: walked.total } : walked;
	}
	const moved = known.moved || walked.moved || (known.total ?? 0) > (walked.total ?? 0);
	return { ...walked, rows: withoutRepeats([walked.rows, known.rows]), moved };
}

function distance({ rows, total }: Known): number {
	return total === undefined ? 0 : Math.abs(rows.length - total);
}

/** @throws what the page failed of, when nothing was read or the rest is not wanted without it */
function partial(walk: Walk, known: Known | undefined, paging: Paging): List {
	const { failure } = walk;
	const rows = known?.rows ?? walk.rows;
	const mayStop = failure instanceof ServiceFailure && failure.details.kind !== 'cancelled';
	if (paging.onPageFailure === 'error' || !mayStop || rows.length === 0) throw failure;
	const limit = paging.limit ?? Number.POSITIVE_INFINITY;
	const hint = known
		? `${shortList(rows.length, known.total)} Reading it again failed: ${failure.message}.`
		: partialList(rows.length, walk.pages.total, failure);
	return { rows: rows.slice(0, limit), hint };
}
