import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../shared/service/http/json';

/** Keys of records that are remembered at most; see `floor`. */
const MAX_SEEN = 2000;

/** Calls without an outcome that are remembered at most. */
const MAX_WAITING = 1000;

/** What a polling trigger remembers between two polls. All times are milliseconds. */
export interface PollState {
	/** What is watched for. When it changes, watching begins anew. */
	event: string;
	/** Filters of the last poll. */
	filterText: string;
	/** Everything up to here was handed on. */
	watermark: number;
	/** Records before this are not looked at: they are from before the start, or forgotten. */
	floor: number;
	/** Records that were handed on and may be listed again, with their time. */
	seen: Map<string, number>;
	/** Calls that have no outcome yet, with their time. */
	waiting: Map<string, number>;
	/** When calls that wait for long were last looked at. */
	recheckedAt: number;
}

/** The state in the node's static data; undefined before the first poll for this event. */
export function readState(
	staticData: IDataObject,
	{ event, filterText }: Pick<PollState, 'event' | 'filterText'>,
): PollState | undefined {
	const { state } = staticData;
	if (!isJsonObject(state) || state.event !== event) return undefined;
	const watermark = Number(state.watermark);
	if (!Number.isFinite(watermark)) return undefined;
	const floor = Number(state.floor) || 0;
	return {
		event,
		filterText,
		watermark,
		// Other filters show older records that nobody has seen: what is new counts from here.
		floor: state.filterText === filterText ? floor : Math.max(floor, watermark),
		seen: readTimes(state.seen),
		waiting: readTimes(state.waiting),
		recheckedAt: Number(state.recheckedAt) || 0,
	};
}

/**
 * Writes the state, with no more than is still needed. Returns how many waiting calls had to be
 * forgotten because there are too many.
 *
 * @param overlapMs records older than the watermark by more than this are not listed again
 */
export function writeState(staticData: IDataObject, state: PollState, overlapMs: number): number {
	const { event, filterText, watermark, recheckedAt } = state;
	const listedAgain = [...state.seen].filter(([, time]) => time >= watermark - overlapMs);
	const seen = newest(listedAgain, MAX_SEEN);
	// What is forgotten must not come out again: nothing from before it is looked at any more.
	const forgotten = listedAgain.slice(0, listedAgain.length - seen.length).map(([, time]) => time);
	const floor = forgotten.reduce((latest, time) => Math.max(latest, time + 1), state.floor);
	const waiting = newest([...state.waiting], MAX_WAITING);
	staticData.state = {
		event,
		filterText,
		watermark,
		floor,
		recheckedAt,
		seen: Object.fromEntries(seen),
		waiting: Object.fromEntries(waiting),
	};
	return state.waiting.size - waiting.length;
}

/** Sorts the entries by time, in place, and returns the last ones. */
function newest(entries: Array<[string, number]>, count: number): Array<[string, number]> {
	entries.sort(([, one], [, other]) => one - other);
	return entries.slice(Math.max(0, entries.length - count));
}

function readTimes(value: unknown): Map<string, number> {
	const entries = isJsonObject(value) ? Object.entries(value) : [];
	return new Map(
		entries
			.map(([key, time]): [string, number] => [key, Number(time)])
			.filter(([, time]) => time > 0),
	);
}
