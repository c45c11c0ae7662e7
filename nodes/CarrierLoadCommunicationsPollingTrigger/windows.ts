import type { JsonObject } from '../shared/service/http/json';
import type { List } from '../shared/service/pagination/types';
import type { PollEvent } from './events';
import { groupRows, timeOf } from './records';

/** A window with so many rows is cut: there may be more. As many are remembered, see `state`. */
const WINDOW_ROWS = 2000;

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

/** A list that takes longer than a poll may. */
export class OutOfTime extends Error {
	constructor() {
		super('The list of the last seconds is too long, or the service too slow, for one poll.');
	}
}

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
		const whole = await readWhole(reading, { fromMs: start, toMs: end, limit });
		if (whole === undefined) {
			pace.windowMs = Math.max(SHORTEST_MS, Math.floor((end - start) / 2));
			if (!reading.hasTime()) return;
			continue;
		}
		yield whole;
		start = end;
		pace.windowMs *= 4;
	}
}

/**
 * A window with all its rows; undefined when a shorter one is needed.
 *
 * @param range without a limit, it can't be shorter
 * @throws IncompleteWindow, OutOfTime and what reading throws, if it can't be shorter
 */
async function readWhole(
	reading: Reading,
	{ fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number | undefined },
): Promise<Window | undefined> {
	try {
		const { rows, hint } = await reading.read(fromMs - EDGE_MS, toMs, limit);
		const window = { fromMs, toMs, rows };
		if (limit !== undefined && rows.length >= limit) return undefined;
		if (hint === undefined) return window;
		if (!(await isWhole(reading, window))) throw new IncompleteWindow(hint);
		reading.warn(hint);
		return window;
	} catch (error) {
		const canBeShorter = error instanceof IncompleteWindow || error instanceof OutOfTime;
		if (limit !== undefined && canBeShorter) return undefined;
		return await Promise.reject(error);
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
