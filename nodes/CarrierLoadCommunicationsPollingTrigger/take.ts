import type { JsonObject } from '../shared/service/http/json';
import { MAX_ZONE_MS, timeOf } from '../shared/service/recordTime';
import { takeBack } from './memory/account';
import { contentOf, groupRows, isoTime, type Group } from './read/records';
import type { PollState } from './memory/state';
import { EDGE_MS, type Reading, type Window } from './read/windows';

/** What one poll needs besides the state. Times are in milliseconds. */
export interface Collecting extends Reading {
	/** How far back every poll reads again: the service may list records late. */
	overlapMs: number;
	/** The age at which a call without an outcome is given up. */
	giveUpMs: number;
	nowMs: number;
}

export interface Found {
	row: JsonObject;
	time: number;
	key: string;
}

/** When a row was created: exactly, or between the ends of the window that listed it. */
interface Made {
	earliest: number;
	latest: number;
	/** For the order of delivery. */
	own: number;
}

/** The new records of a window. From here on they count as delivered. */
export function take(window: Window, state: PollState, collecting: Collecting): Found[] {
	const { event, warn } = collecting;
	const inRange = window.rows.filter((row) => madeIn(window, row, state));
	if (inRange.length === 0 && window.rows.length > 0) {
		warn(
			`The service returned ${window.rows.length} records, none of them from the requested time range: ${isoTime(window.fromMs)} to ${isoTime(window.toMs)}. Check the times of the records.`,
		);
	}
	const groups = groupRows(event, inRange);
	takeBack(groups, state);
	return groups.flatMap((group) => {
		const made = madeIn(window, group.rows[0] ?? {}, state);
		return made ? takeGroup(group, made, state, collecting) : [];
	});
}

/**
 * The new rows among those with the same key. Rows from before polling started, and calls that
 * never become ready, count as delivered too.
 */
export function takeGroup(
	group: Group,
	made: Made,
	state: PollState,
	collecting: Collecting,
): Found[] {
	const { seen, waiting, quietUntil } = state;
	const { key, hasId } = group;
	const known = seen.get(key);
	if (hasId && known) {
		// Without an exact time, it may be listed for longer than memory reaches.
		seen.set(key, { ...known, time: Math.max(made.latest, known.time) });
		return [];
	}
	const { event, nowMs, giveUpMs } = collecting;
	const waitingSince = waiting.get(key);
	const age = nowMs - (waitingSince ?? made.earliest);
	const judged = group.rows.map((row) => ({
		row,
		readiness: event.readiness?.(row, age, giveUpMs) ?? 'ready',
	}));
	const decided = judged.filter(({ readiness }) => readiness !== 'waiting');
	if (decided.length < judged.length) waiting.set(key, waitingSince ?? made.earliest);
	else waiting.delete(key);
	if (decided.length === 0) return [];

	const contents = hasId ? [] : decided.map(({ row }) => contentOf(row));
	const fresh = hasId ? decided : beyondKnown(decided, known?.contents ?? []);
	if (known === undefined || fresh.length > 0 || contents.length === known.contents.length) {
		seen.set(key, { time: Math.max(made.latest, known?.time ?? 0), contents });
	}
	const isOld = quietUntil !== undefined && made.latest <= quietUntil;
	if (isOld && waitingSince === undefined) return [];
	const ready = fresh.filter(({ readiness }) => readiness === 'ready');
	return ready.map(({ row }) => ({ row, time: made.own, key }));
}

/**
 * Of several rows without an ID but with the same key, those that exceed the known number, new
 * content first. A correction changes the content but not the number, so it returns nothing.
 */
function beyondKnown<Row extends { row: JsonObject }>(rows: Row[], known: string[]): Row[] {
	const left = [...known];
	const unknown = rows.filter(({ row }) => {
		const index = left.indexOf(contentOf(row));
		if (index >= 0) left.splice(index, 1);
		return index < 0;
	});
	return unknown.slice(0, Math.max(0, rows.length - known.length));
}

/** When a row of a window was created; undefined if outside the window. */
function madeIn({ fromMs, toMs }: Window, row: JsonObject, { floor }: PollState): Made | undefined {
	const time = timeOf(row);
	if (time === undefined) return { earliest: fromMs, latest: toMs, own: toMs };
	const { ms, toleranceMs } = time;
	if (toleranceMs > 0) {
		const earliest = Math.max(fromMs - EDGE_MS, floor);
		const isOutside = ms - toleranceMs > toMs || ms + toleranceMs < earliest;
		return isOutside ? undefined : { earliest: fromMs, latest: toMs, own: ms };
	}
	// A service may return more than was requested (contract 4.9: how it reads a date), and its clock
	// may be off. What is remembered can be told by its ID; the floor rises with what is forgotten.
	const isOutside = ms < floor || Math.abs(ms - toMs) > MAX_ZONE_MS + toMs - fromMs;
	return isOutside ? undefined : { earliest: ms, latest: ms, own: ms };
}
