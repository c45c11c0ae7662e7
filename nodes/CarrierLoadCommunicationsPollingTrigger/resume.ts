import { setAside } from './account';
import type { PollSettings } from './form';
import { isoTime } from './records';
import { firstState, type PollState } from './state';

/** A service's clock may be ahead by less, and the floor rises with its records. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

/** The last state in this process, per node. n8n's own copy may be older. */
const latest = new Map<string, PollState>();

/** Keeps the state after a poll, for when the node's filters or account change. */
export function noteState(nodeKey: string, state: PollState): void {
	latest.set(nodeKey, state);
}

/**
 * Where this poll starts: a new state at the first poll, otherwise the stored one. After a pause or
 * a change of the filters or the account, older records are skipped.
 *
 * @param nodeKey identifies the node within this n8n
 */
export function resumeState(
	stored: PollState | undefined,
	settings: PollSettings,
	{ nodeKey, nowMs, warn }: { nodeKey: string; nowMs: number; warn: (message: string) => void },
): PollState {
	const last = latest.get(nodeKey);
	const looked = Math.min(last?.lookedTo ?? nowMs, nowMs);
	// With durable cursors n8n 2.41 does not store what the poll of a publish remembers, unless that
	// starts an execution (poll-trigger-executor.js): then polling still begins at the publish.
	if (stored === undefined) {
		return firstState(settings, Math.max(looked, nowMs - settings.catchUpMs));
	}
	const isNewer = last?.event === stored.event && last.polledAt > stored.polledAt;
	const base = isNewer && !isFor(stored, settings) ? structuredClone(last) : stored;
	const state = afterPause(base, settings, nowMs, warn);
	if (!isFor(state, settings)) return afterChange(state, settings, looked);
	return { ...state, account: settings.account };
}

/** Whether nothing was changed since. What an older version stored names no account. */
function isFor(state: PollState, { account, filters }: PollSettings): boolean {
	const isSameAccount = state.account === undefined || state.account === account;
	return isSameAccount && state.filters === JSON.stringify(filters);
}

/**
 * Other filters, and another account, show older records that were never delivered: only what is new
 * counts. How far was looked before is known only in this process; n8n may have stored less.
 */
function afterChange(state: PollState, settings: PollSettings, looked: number): PollState {
	const { account, overlapMs } = settings;
	const filters = JSON.stringify(settings.filters);
	const from = Math.max(looked - overlapMs, state.floor);
	const fresh = { ...state, account, filters, from, passStartedAt: undefined, quietUntil: looked };
	if (state.account === undefined || state.account === account) return fresh;
	// A delivered record that is listed again would show that no record is too old.
	const isOnlyAccount = state.filters === filters && state.quietUntil === undefined;
	return setAside(isOnlyAccount ? fresh : { ...fresh, seen: new Map() });
}

/**
 * After a pause (workflow unpublished, n8n or the service down), old records must not arrive as
 * new.
 */
function afterPause(
	state: PollState,
	settings: PollSettings,
	nowMs: number,
	warn: (message: string) => void,
): PollState {
	if (state.floor > nowMs + CLOCKS_DIFFER_MS) {
		const now = isoTime(nowMs);
		warn(
			`The clock was ahead when the list was last polled. It is now ${now}; records from before that are skipped.`,
		);
		return { ...state, floor: nowMs };
	}
	if (nowMs - state.polledAt <= settings.catchUpMs) return state;
	const floor = Math.max(state.floor, nowMs - settings.catchUpMs);
	// Calls that were still waiting when the pause began are checked once more, as far as that goes.
	const oldest = nowMs - settings.catchUpMs - settings.giveUpMs;
	const waiting = new Map([...state.waiting].filter(([, time]) => time >= oldest));
	warn(
		`The last poll on record was on ${isoTime(state.polledAt)}. Records from before ${isoTime(floor)} are skipped; to include more, set the option "Catch Up After a Pause (Hours)".`,
	);
	const from = Math.max(state.from, floor);
	return { ...state, floor, from, passStartedAt: undefined, waiting };
}
