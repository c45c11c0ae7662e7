import type { JsonObject } from '../../shared/service/http/json';
import { AGAIN } from '../../shared/service/pagination/hints';
import type { List } from '../../shared/service/pagination/types';
import { timeOf } from '../../shared/service/recordTime';
import type { PollEvent } from '../events';
import { groupRows } from './records';

/** A window with so many rows is cut: there may be more. As many are remembered, see `state`. */
const WINDOW_ROWS = 2000;

/** Shorter windows aren't cut: all their rows are read, however many. */
const SHORTEST_MS = 10_000;

/** After a window with few enough rows, the next one is longer by this factor. */
export const GROWTH = 4;

/**
 * How much windows overlap, in milliseconds: contract 4.9 doesn't say whether range ends are
 * inclusive, or whether the service considers milliseconds.
 */
export const EDGE_MS = 2000;

/** Reads the records between two times, up to a maximum. */
export type ReadRange = (fromMs: number, toMs: number, limit: number | undefined) => Promise<List>;

/** Part of the time range, with all its records. */
export interface Window {
	fromMs: number;
	toMs: number;
	rows: JsonObject[];
}

const READ_TWICE = 'Reading it in parts found no others, so polling goes on.';

const READ_AGAIN =
	'The next poll reads it again. If this continues, ask the service operator why its list is incomplete.';

/** Part of the time range that the service doesn't return completely. */
class IncompleteWindow extends Error {}

export interface Reading {
	event: PollEvent;
	read: ReadRange;
	/** Logs what an administrator should know but does not fail the poll. */
	warn: (message: string) => void;
}

/**
 * Walks through a time range from start to end, in windows with few enough rows. Contract 4.9
 * doesn't define the order of lists, so short ranges find the oldest records.
 *
 * @param windowMs length of the first window
 * @throws IncompleteWindow if a window can't be read completely
 */
export async function* walkWindows(
	reading: Reading,
	fromMs: number,
	toMs: number,
	windowMs = toMs - fromMs,
): AsyncGenerator<Window> {
	let start = fromMs;
	let lengthMs = Math.max(SHORTEST_MS, windowMs);
	while (start < toMs) {
		const end = Math.min(toMs, start + lengthMs);
		const isShort = end - start <= SHORTEST_MS;
		const limit = isShort ? undefined : WINDOW_ROWS;
		const read = await readWhole(reading, { fromMs: start, toMs: end, limit });
		if (typeof read === 'number') {
			lengthMs = Math.max(SHORTEST_MS, read);
			continue;
		}
		yield read;
		start = end;
		lengthMs *= GROWTH;
	}
}

/**
 * A window with all its rows; if a shorter one is needed, its length in milliseconds.
 *
 * @param range without a limit, it can't be shorter
 * @throws IncompleteWindow if it can't be shorter, and what reading throws
 */
async function readWhole(
	reading: Reading,
	{ fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number | undefined },
): Promise<Window | number> {
	try {
		const { rows, hint } = await reading.read(fromMs - EDGE_MS, toMs, limit);
		const window = { fromMs, toMs, rows };
		if (limit !== undefined && rows.length >= limit) return shorterLength(window);
		if (hint === undefined) return window;
		const isAll = await isWhole(reading, window);
		if (!isAll) throw new IncompleteWindow(hint.replace(AGAIN, READ_AGAIN));
		reading.warn(hint.replace(AGAIN, READ_TWICE));
		return window;
	} catch (error) {
		if (limit !== undefined && error instanceof IncompleteWindow) {
			return Math.floor((toMs - fromMs) / 2);
		}
		return await Promise.reject(error);
	}
}

/**
 * The length of the next try for a window of which only some rows were read. If there is a gap
 * before the first of them, the gap; else half the time up to the last one. Half the window, if no
 * row says that it is in it.
 */
function shorterLength({ fromMs, toMs, rows }: Window): number {
	const inside = rows
		.flatMap((row) => timeOf(row)?.ms ?? [])
		.filter((ms) => ms >= fromMs && ms <= toMs);
	const times = inside.length > 0 ? inside : [fromMs, toMs];
	const gapMs = Math.min(...times) - EDGE_MS - fromMs;
	if (gapMs > SHORTEST_MS) return gapMs;
	return Math.floor((Math.max(...times) - fromMs) / 2);
}

/**
 * Whether a window has all its records although the service's total disagrees. A total may simply
 * be wrong: the window is complete if reading it in two parts, split between its records, returns
 * nothing more.
 */
async function isWhole({ event, read }: Reading, { fromMs, toMs, rows }: Window) {
	const known = new Map(groupRows(event, rows).map((group) => [group.key, group.rows.length]));
	const middle = cutBetween(
		rows.map((row) => timeOf(row)?.ms ?? 0),
		fromMs,
		toMs,
	);
	const parts = [
		await read(fromMs - EDGE_MS, middle, undefined),
		await read(middle, toMs, undefined),
	];
	return parts.every((part) =>
		groupRows(event, part.rows).every((group) => group.rows.length <= (known.get(group.key) ?? 0)),
	);
}

/** The time between the two middle ones of several times, if it is inside the range. */
function cutBetween(times: number[], fromMs: number, toMs: number): number {
	const distinct = [...new Set(times)].sort((one, other) => one - other);
	const index = Math.floor(distinct.length / 2);
	const [earlier = fromMs, later = toMs] = distinct.slice(Math.max(0, index - 1));
	const cut = Math.floor((earlier + later) / 2);
	return cut > fromMs && cut < toMs ? cut : Math.floor((fromMs + toMs) / 2);
}
