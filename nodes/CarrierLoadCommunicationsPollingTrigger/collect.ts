import type { JsonObject } from '../shared/service/http/json';
import { takeBack } from './memory/account';
import { groupRows } from './read/records';
import type { PollState } from './memory/state';
import { take, takeGroup, type Collecting, type Found } from './take';
import { EDGE_MS, GROWTH, walkWindows } from './read/windows';

/** About how many records one poll delivers. The next polls deliver the rest. */
const CHUNK = 500;

/** How often calls are checked that have waited longer than the overlap, in milliseconds. */
const RECHECK_MS = 15 * 60 * 1000;

/**
 * Collects up to a number of undelivered records, oldest first. The state advances only over ranges
 * that were read completely.
 *
 * @throws the error of reading a list, unless records were found before it; the state is then
 * unchanged
 */
export async function collect(state: PollState, collecting: Collecting): Promise<JsonObject[]> {
	const found: Found[] = [];
	await collectInto(found, state, collecting).catch(async (error: unknown) => {
		// Delivers what was found. The next poll meets the same error and reports it.
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

/** Continues reading where the last poll stopped. Returns whether it reached the present. */
async function collectNew(found: Found[], state: PollState, collecting: Collecting) {
	const { nowMs, overlapMs } = collecting;
	// A clock that was set back must not stop polling until it catches up.
	const latest = state.passStartedAt === undefined ? nowMs - overlapMs : nowMs;
	const start = Math.max(Math.min(state.from, latest), state.floor);
	state.passStartedAt = Math.min(state.passStartedAt ?? nowMs, nowMs);
	state.from = start;
	for await (const window of newWindows(collecting, state)) {
		found.push(...take(window, state, collecting));
		state.from = window.toMs;
		state.windowMs = GROWTH * (window.toMs - window.fromMs);
		state.lookedTo = Math.max(state.lookedTo, window.toMs);
		if (found.length >= CHUNK) break;
	}
	if (state.from < nowMs) return false;
	// Everything the service lists late was created after this.
	state.from = Math.max(state.passStartedAt - overlapMs, state.floor);
	state.passStartedAt = undefined;
	state.windowMs = undefined;
	state.quietUntil = undefined;
	return true;
}

/** A window ends where old records do: a record without a time zone is only as old as its window. */
async function* newWindows(collecting: Collecting, { from, quietUntil, windowMs }: PollState) {
	const { nowMs } = collecting;
	const firstNew = Math.min(Math.max(quietUntil ?? from, from), nowMs);
	yield* walkWindows(collecting, from, firstNew, windowMs);
	yield* walkWindows(collecting, firstNew, nowMs, windowMs);
}

/** Checks waiting calls that are older than the range every poll reads. */
async function recheckWaiting(found: Found[], state: PollState, collecting: Collecting) {
	const { nowMs, giveUpMs } = collecting;
	const { waiting } = state;
	const oldest = Math.min(...waiting.values());
	const end = state.from;
	if (oldest >= end || Math.abs(nowMs - state.recheckedAt) < RECHECK_MS) return;
	for await (const window of walkWindows(collecting, oldest, end + EDGE_MS)) {
		const groups = groupRows(collecting.event, window.rows);
		takeBack(groups, state);
		for (const group of groups.filter(({ key }) => waiting.has(key))) {
			const time = waiting.get(group.key) ?? window.toMs;
			const made = { earliest: time, latest: window.toMs, own: time };
			found.push(...takeGroup(group, made, state, collecting));
		}
	}
	state.recheckedAt = nowMs;
	for (const [key, time] of waiting) {
		if (time < nowMs - giveUpMs) waiting.delete(key);
	}
}

function inOrder(one: Found, other: Found): number {
	const byTime = one.time - other.time;
	return byTime === 0 ? one.key.localeCompare(other.key, 'en', { numeric: true }) : byTime;
}
