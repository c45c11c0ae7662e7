import type { JsonObject } from '../shared/service/http/json';
import { groupRows } from './records';
import type { PollState } from './state';
import { take, takeGroup, type Collecting, type Found } from './take';
import { EDGE_MS, walkWindows } from './windows';

/** Records delivered by one poll, about; the rest comes with the next polls. */
const CHUNK = 500;

/** How often calls are checked that have waited longer than the overlap, in milliseconds. */
const RECHECK_MS = 15 * 60 * 1000;

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
	const latest = state.passStartedAt === undefined ? nowMs - overlapMs : nowMs;
	const start = Math.max(Math.min(state.from, latest), state.floor);
	state.passStartedAt = Math.min(state.passStartedAt ?? nowMs, nowMs);
	const pace = { windowMs: state.windowMs ?? nowMs - start };
	state.from = start;
	for await (const window of walkWindows(collecting, start, nowMs, pace)) {
		found.push(...take(window, state, collecting));
		state.from = window.toMs;
		state.lookedTo = Math.max(state.lookedTo, window.toMs);
		if (found.length >= CHUNK || !hasTime()) break;
	}
	const isUpToDate = state.from >= nowMs;
	state.windowMs = isUpToDate ? undefined : pace.windowMs;
	if (!isUpToDate) return false;
	// Whatever the service lists late was made after this.
	state.from = Math.max(state.passStartedAt - overlapMs, state.floor);
	state.passStartedAt = undefined;
	state.quietUntil = undefined;
	return true;
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
	const pace = { windowMs: state.recheckWindowMs ?? end + EDGE_MS - start };
	state.recheckFrom = start;
	for await (const window of walkWindows(collecting, start, end + EDGE_MS, pace)) {
		const rows = groupRows(collecting.event, window.rows).filter(({ key }) => waiting.has(key));
		for (const group of rows) {
			const time = waiting.get(group.key) ?? window.toMs;
			const made = { earliest: time, latest: window.toMs, own: time };
			found.push(...takeGroup(group, made, state, collecting));
		}
		state.recheckFrom = window.toMs;
		if (!hasTime()) break;
	}
	const isDone = state.recheckFrom >= end;
	state.recheckWindowMs = isDone ? undefined : pace.windowMs;
	if (!isDone) return;
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
