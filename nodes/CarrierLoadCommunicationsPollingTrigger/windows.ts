import type { JsonObject } from '../shared/service/http/json';
import type { List } from '../shared/service/pagination';
import type { PollEvent } from './events';
import { groupRows, timeOf } from './records';

/**
 * A window with this many rows is cut, because there may be more. One page holds them (contract 8).
 */
const WINDOW_ROWS = 500;

/** Shorter windows aren't cut: all their rows are read, however many. */
const SHORTEST_MS = 10_000;

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

/** Part of the time range that the service doesn't return completely. */
class IncompleteWindow extends Error {}

/** Length of the next window, in milliseconds. */
export interface Pace {
	windowMs: number;
}

export interface Reading {
	event: PollEvent;
	read: ReadRange;
	/** Whether there is time to continue. */
	hasTime: () => boolean;
	/** Logs what an administrator should know but does not fail the poll. */
	warn: (message: string) => void;
}

/**
 * Walks through a time range from start to end, in windows with few enough rows. Contract 4.9
 * doesn't define the order of lists, so short ranges find the oldest records. Ends early if time is
 * up; the pace says how far it got.
 *
 * @throws IncompleteWindow if a window can't be read completely
 */
export async function* walkWindows(
	reading: Reading,
	fromMs: number,
	toMs: number,
	pace: Pace,
): AsyncGenerator<Window> {
	let start = fromMs;
	while (start < toMs) {
		const end = Math.min(toMs, start + pace.windowMs);
		const isShort = end - start <= SHORTEST_MS;
		const limit = isShort ? undefined : WINDOW_ROWS;
		const { rows, hint } = await reading.read(start - EDGE_MS, end, limit);
		const window = { fromMs: start, toMs: end, rows };
		const isTooMany = !isShort && rows.length >= WINDOW_ROWS;
		if (isTooMany || (hint !== undefined && !(await isWhole(reading, window)))) {
			if (isShort) throw new IncompleteWindow(hint);
			pace.windowMs = Math.max(SHORTEST_MS, Math.floor((end - start) / 2));
			if (!reading.hasTime()) return;
			continue;
		}
		if (hint !== undefined) reading.warn(hint);
		yield window;
		start = end;
		pace.windowMs *= 2;
	}
}

/**
 * Whether a window has all its records although the service's total disagrees. A total may simply
 * be wrong: the window is complete if reading it in two parts, split between its records, returns
 * nothing more.
 */
async function isWhole({ event, read }: Reading, { fromMs, toMs, rows }: Window) {
	const known = new Map(groupRows(event, rows).map((group) => [group.key, group.rows.length]));
	const middle = cutBetween(
		rows.map((row) => timeOf(event, row)?.ms ?? 0),
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
