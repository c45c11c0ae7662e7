import type { JsonObject } from '../shared/service/http/json';
import { contentOf, groupRows, timeOf, type Group } from './records';
import type { PollState } from './state';
import { EDGE_MS, walkWindows, type Reading, type Window } from './windows';

/** Records delivered by one poll, about; the rest comes with the next polls. */
const CHUNK = 500;

/** How often calls are checked that have waited longer than the overlap, in milliseconds. */
const RECHECK_MS = 15 * 60 * 1000;

/** Everything one poll needs besides the state. Times are milliseconds. */
export interface Collecting extends Reading {
	/** How far back every pass reads again: the service may list records late. */
	overlapMs: number;
	/** A call without an outcome is given up after this. */
	giveUpMs: number;
	nowMs: number;
	/** Whether there is time to read on. */
	hasTime: () => boolean;
}

interface Found {
	row: JsonObject;
	time: number;
	key: string;
}

/** When a row was made: exact, or between the ends of the window it was listed in. */
interface Made {
	earliest: number;
	latest: number;
	/** For the order of delivery. */
	own: number;
}

/**
 * Collects records that were not delivered before, oldest first, in a bounded number. The state
 * moves only over what was read whole.
 *
 * @throws what reading a list throws, unless something was found before; then nothing changed
 */
export async function collect(state: PollState, collecting: Collecting): Promise<JsonObject[]> {
	const found: Found[] = [];
	await collectInto(found, state, collecting).catch(async (error: unknown) => {
		// What was found is delivered; the next poll meets the same obstacle and shows it.
		if (found.length === 0) await Promise.reject(error);
		collecting.warn('Part of the list could not be read. The next poll continues from there.');
	});
	state.polledAt = collecting.nowMs;
	return found.sort(inOrder).map(({ row }) => row);
}

async function collectInto(found: Found[], state: PollState, collecting: Collecting) {
	const isUpToDate = await collectNew(found, state, collecting);
	if (isUpToDate) await recheckWaiting(found, state, collecting);
}

/** Reads on from where the last poll stopped. Returns whether it got to the present. */
async function collectNew(found: Found[], state: PollState, collecting: Collecting) {
	const { nowMs, overlapMs, hasTime } = collecting;
	// A clock that was set back must not stop polling until it gets there again.
	state.passStartedAt = Math.min(state.passStartedAt ?? nowMs, nowMs);
	const start = Math.max(Math.min(state.from, nowMs - overlapMs), state.floor);
	for await (const window of walkWindows(collecting, start, nowMs)) {
		found.push(...take(window, state, collecting));
		state.from = window.toMs;
		state.lookedTo = Math.max(state.lookedTo, window.toMs);
		if (window.toMs < nowMs && (found.length >= CHUNK || !hasTime())) return false;
	}
	// Whatever the service lists late was made after this.
	state.from = Math.max(state.passStartedAt - overlapMs, state.floor);
	state.passStartedAt = undefined;
	state.quietUntil = undefined;
	return true;
}

/** The new records of a window; they count as delivered from here. */
function take(window: Window, state: PollState, collecting: Collecting): Found[] {
	const { event, warn } = collecting;
	const inRange = window.rows.filter((row) => madeIn(window, row, state, collecting));
	if (inRange.length === 0 && window.rows.length > 0) {
		warn(
			`The service returned ${window.rows.length} records, none of them from the requested time range: ${isoTime(window.fromMs)} to ${isoTime(window.toMs)}. Check the times of the records.`,
		);
	}
	return groupRows(event, inRange).flatMap((group) => {
		const made = madeIn(window, group.rows[0] ?? {}, state, collecting);
		return made ? takeGroup(group, made, state, collecting) : [];
	});
}

function takeGroup(group: Group, made: Made, state: PollState, collecting: Collecting): Found[] {
	const { seen, waiting, quietUntil } = state;
	const { key, hasId } = group;
	const known = seen.get(key);
	if (hasId && known) return [];
	const { event, nowMs, giveUpMs } = collecting;
	const age = nowMs - (waiting.get(key) ?? made.earliest);
	const judged = group.rows.map((row) => ({
		row,
		readiness: event.readiness?.(row, age, giveUpMs) ?? 'ready',
	}));
	const decided = judged.filter(({ readiness }) => readiness !== 'waiting');
	if (decided.length < judged.length) waiting.set(key, waiting.get(key) ?? made.earliest);
	else waiting.delete(key);
	if (decided.length === 0) return [];

	const contents = hasId ? [] : decided.map(({ row }) => contentOf(row));
	const fresh = hasId ? decided : beyondKnown(decided, known?.contents ?? []);
	if (known === undefined || fresh.length > 0 || contents.length === known.contents.length) {
		seen.set(key, { time: Math.max(made.latest, known?.time ?? 0), contents });
	}
	const isQuiet = quietUntil !== undefined && made.earliest <= quietUntil;
	if (isQuiet) return [];
	const ready = fresh.filter(({ readiness }) => readiness === 'ready');
	return ready.map(({ row }) => ({ row, time: made.own, key }));
}

/**
 * Of rows without an ID that share a key, those beyond the number known before: first the ones with
 * new content. A correction changes the content but not the number, so it brings nothing.
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

/** When a row of a window was made; undefined when that is outside the window. */
function madeIn(
	{ fromMs, toMs }: Window,
	row: JsonObject,
	{ floor }: PollState,
	{ event }: Collecting,
): Made | undefined {
	const time = timeOf(event, row);
	if (time === undefined) return { earliest: fromMs, latest: toMs, own: toMs };
	const { ms, toleranceMs } = time;
	// A service may return more than was requested (contract 4.9: how it reads a date).
	const isOutside = ms - toleranceMs > toMs || ms + toleranceMs < Math.max(fromMs - EDGE_MS, floor);
	if (isOutside) return undefined;
	if (toleranceMs > 0) return { earliest: fromMs, latest: toMs, own: ms };
	return { earliest: ms, latest: ms, own: ms };
}

/** Checks calls that still wait and are older than what every poll reads. */
async function recheckWaiting(found: Found[], state: PollState, collecting: Collecting) {
	const { nowMs, giveUpMs, hasTime } = collecting;
	const { waiting } = state;
	const oldest = Math.min(...waiting.values());
	const start = state.recheckFrom ?? oldest;
	const end = state.from;
	const isDue = state.recheckFrom !== undefined || nowMs - state.recheckedAt >= RECHECK_MS;
	if (oldest >= end || !isDue) return;
	for await (const window of walkWindows(collecting, start, end + EDGE_MS)) {
		const rows = groupRows(collecting.event, window.rows).filter(({ key }) => waiting.has(key));
		for (const group of rows) {
			const time = waiting.get(group.key) ?? window.toMs;
			const made = { earliest: time, latest: window.toMs, own: time };
			found.push(...takeGroup(group, made, state, collecting));
		}
		state.recheckFrom = window.toMs;
		if (window.toMs < end && !hasTime()) return;
	}
	state.recheckFrom = undefined;
	state.recheckedAt = nowMs;
	for (const [key, time] of waiting) {
		if (time < nowMs - giveUpMs) waiting.delete(key);
	}
}

function inOrder(one: Found, other: Found): number {
	const byTime = one.time - other.time;
	return byTime === 0 ? one.key.localeCompare(other.key, 'en', { numeric: true }) : byTime;
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
