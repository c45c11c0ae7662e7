import type { JsonObject } from '../shared/service/http/json';
import type { PollState } from './state';
import type { Watched } from './watched';
import { EDGE_MS, walkWindows, type ReadRange, type Window } from './windows';

/** Records handed on by one poll, about; what is left comes with the next one. */
const CHUNK = 500;

/** How often calls are looked at that have waited longer than the overlap. */
const RECHECK_MS = 15 * 60 * 1000;

export interface Rules {
	watched: Watched;
	/** How far before the watermark is read again: late records, clocks, range ends. */
	overlapMs: number;
	/** A call without an outcome is given up after this. */
	giveUpMs: number;
	nowMs: number;
	/** Whether there is time to read on. */
	hasTime: () => boolean;
	/** Told of what a dispatcher should know but nothing fails of. */
	warn: (message: string) => void;
}

interface Found {
	row: JsonObject;
	time: number;
	key: string;
}

/**
 * The records that were not handed on before, oldest first, in a bounded number. The state moves
 * over what is returned, and over nothing else.
 *
 * @throws what reading a list throws; then the state has not changed
 */
export async function collect(
	read: ReadRange,
	state: PollState,
	rules: Rules,
): Promise<JsonObject[]> {
	const found: Found[] = [];
	await collectInto(found, read, state, rules).catch(async (error: unknown) => {
		// What is certain is handed on; the next poll meets the error first, and shows it.
		if (found.length === 0) await Promise.reject(error);
		rules.warn('Not all of it could be read; the next poll goes on from there');
	});
	return found.sort(inOrder).map(({ row }) => row);
}

async function collectInto(
	found: Found[],
	read: ReadRange,
	state: PollState,
	rules: Rules,
): Promise<void> {
	const start = Math.max(state.watermark - rules.overlapMs, state.floor);
	for await (const window of walkWindows(read, start, rules.nowMs)) {
		found.push(...take(window, state, rules));
		if (!moveWatermark(state, window, rules)) break;
		if (found.length >= CHUNK || !rules.hasTime()) return;
	}
	found.push(...(await recheck(read, state, rules, start)));
}

/** Everything that is listed now counts as handed on: watching begins here. */
export async function beginNow(read: ReadRange, state: PollState, rules: Rules): Promise<void> {
	for await (const window of walkWindows(read, rules.nowMs - rules.overlapMs, rules.nowMs)) {
		take(window, state, rules);
	}
}

/** The new records of a window; they count as handed on from here. */
function take({ fromMs, toMs, rows }: Window, state: PollState, rules: Rules): Found[] {
	const { watched, nowMs } = rules;
	const found: Found[] = [];
	for (const row of rows) {
		const told = watched.timeOf(row);
		// A service may answer with more than was asked for (contract 4.9: how it reads a date).
		if (told !== undefined && (told > toMs || told < Math.max(fromMs - EDGE_MS, state.floor)))
			continue;
		const key = watched.keyOf(row);
		const time = told ?? nowMs;
		const isKnown = state.seen.has(key);
		if (watched.isReady(row)) {
			state.seen.set(key, time);
			state.waiting.delete(key);
			if (!isKnown) found.push({ row, time, key });
		} else if (!isKnown) {
			state.waiting.set(key, state.waiting.get(key) ?? time);
		}
	}
	return found;
}

/** False when the window was not read whole: then the watermark stays, and it is read again. */
function moveWatermark(
	state: PollState,
	{ toMs, rows, hint }: Window,
	{ watched, nowMs, warn }: Rules,
): boolean {
	if (hint !== undefined) {
		warn(hint);
		return false;
	}
	if (toMs < nowMs) {
		state.watermark = Math.max(state.watermark, toMs);
		return true;
	}
	// The newest record's own time, which is the service's clock: ours may be ahead of it.
	for (const row of rows) {
		const time = watched.timeOf(row);
		if (time !== undefined && time <= nowMs) state.watermark = Math.max(state.watermark, time);
	}
	return true;
}

/** Looks at calls that were made before the time that every poll reads, and still wait. */
async function recheck(
	read: ReadRange,
	state: PollState,
	rules: Rules,
	beforeMs: number,
): Promise<Found[]> {
	const { nowMs, giveUpMs, watched } = rules;
	for (const [key, time] of state.waiting) {
		if (time < nowMs - giveUpMs) state.waiting.delete(key);
	}
	const oldest = Math.min(...state.waiting.values());
	if (oldest >= beforeMs || nowMs - state.recheckedAt < RECHECK_MS) return [];
	const found: Found[] = [];
	for await (const { rows } of walkWindows(read, oldest, beforeMs + EDGE_MS)) {
		for (const row of rows) {
			const key = watched.keyOf(row);
			const time = state.waiting.get(key);
			if (time === undefined || !watched.isReady(row)) continue;
			state.waiting.delete(key);
			state.seen.set(key, time);
			found.push({ row, time, key });
		}
		if (!rules.hasTime()) break;
	}
	state.recheckedAt = nowMs;
	return found;
}

function inOrder(one: Found, other: Found): number {
	const byTime = one.time - other.time;
	return byTime === 0 ? one.key.localeCompare(other.key, 'en', { numeric: true }) : byTime;
}
