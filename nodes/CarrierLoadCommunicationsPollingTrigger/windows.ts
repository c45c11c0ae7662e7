import type { JsonObject } from '../shared/service/http/json';
import type { List } from '../shared/service/pagination';
import type { PollEvent } from './events';
import { groupRows, timeOf } from './records';

/** A window with so many rows is cut: there may be more. One page holds them (contract 8). */
const WINDOW_ROWS = 500;

/** A window is not cut below this: then all its rows are read, however many. */
const SHORTEST_MS = 10_000;

/**
 * Windows overlap by this much, in milliseconds: contract 4.9 does not say whether the ends of a
 * range belong to it, nor whether the service looks at milliseconds.
 */
export const EDGE_MS = 2000;

/** Reads the records between two times, at most so many. */
export type ReadRange = (fromMs: number, toMs: number, limit: number | undefined) => Promise<List>;

/** A part of the time range, with all its records. */
export interface Window {
	fromMs: number;
	toMs: number;
	rows: JsonObject[];
}

/** A part of the time range that the service does not return in full. */
class IncompleteWindow extends Error {}

/** How long the next window is, in milliseconds. */
export interface Pace {
	windowMs: number;
}

export interface Reading {
	event: PollEvent;
	read: ReadRange;
	/** Whether there is time to read on. */
	hasTime: () => boolean;
	/** Logs what an administrator should know but no poll fails over. */
	warn: (message: string) => void;
}

/**
 * Goes through a time range from its start to its end, in windows of few enough rows: contract 4.9
 * does not say in which order a list comes, so the oldest records are found by short ranges. Ends
 * early when time is up before a window is short enough; the pace says how far that got.
 *
 * @throws IncompleteWindow when a window can't be read whole
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
 * Whether a window holds all its records although the list disagrees with the service's total. A
 * total may simply be wrong: the window is whole when reading it in two parts, cut between its
 * records, brings nothing more.
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

/** The moment between the two middle ones of several times, if it is inside the range. */
function cutBetween(times: number[], fromMs: number, toMs: number): number {
	const distinct = [...new Set(times)].sort((one, other) => one - other);
	const index = Math.floor(distinct.length / 2);
	const [earlier = fromMs, later = toMs] = distinct.slice(Math.max(0, index - 1));
	const cut = Math.floor((earlier + later) / 2);
	return cut > fromMs && cut < toMs ? cut : Math.floor((fromMs + toMs) / 2);
}
