import type { JsonObject } from '../shared/service/http/json';
import type { List } from '../shared/service/pagination';

/** Rows of a window at most; a window that has more is cut. */
export const WINDOW_ROWS = 500;

/** A window is not cut below this: then all its rows are read, however many. */
const SHORTEST_MS = 10_000;

/**
 * Windows overlap by this much: whether the service takes a range's ends in is not known (contract
 * 4.9), nor whether it looks at milliseconds.
 */
export const EDGE_MS = 2000;

/** Reads the records between two times, at most so many. */
export type ReadRange = (fromMs: number, toMs: number, limit: number | undefined) => Promise<List>;

/** A part of the time range, with all its records. */
export interface Window {
	fromMs: number;
	toMs: number;
	rows: JsonObject[];
	/** Says why the rows may not be all. */
	hint?: string | undefined;
}

/**
 * Goes through a time range from its start to its end, in windows of few enough rows: the order of
 * a list is not known (contract 4.9), so the oldest records are found by reading short ranges.
 */
export async function* walkWindows(
	read: ReadRange,
	fromMs: number,
	toMs: number,
): AsyncGenerator<Window> {
	let start = fromMs;
	let length = toMs - fromMs;
	while (start < toMs) {
		const end = Math.min(toMs, start + length);
		const isShort = end - start <= SHORTEST_MS;
		const { rows, hint } = await read(start - EDGE_MS, end, isShort ? undefined : WINDOW_ROWS + 1);
		if (!isShort && rows.length > WINDOW_ROWS) {
			length = Math.max(SHORTEST_MS, Math.floor((end - start) / 2));
			continue;
		}
		yield { fromMs: start, toMs: end, rows, hint };
		start = end;
		length *= 2;
	}
}
