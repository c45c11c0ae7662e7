import { setAside } from './account';
import type { PollSettings } from '../form';
import { isoTime } from '../read/records';
import { firstState, type PollState } from './state';

/** A service's clock may be ahead by less, and the floor rises with its records. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

/** What this process knows of a node that n8n may not have stored. */
interface Noted {
	/** The static data belongs to the node's name, so a renamed node has none. */
	name: string;
	state: PollState;
	/** The state before, if the poll found records; see `lastState`. */
	before: PollState | undefined;
}

/** By the node's key. */
const latest = new Map<string, Noted>();

/** A node that is polled. */
export interface PolledNode {
	/** Identifies it within this n8n, also when it is renamed. */
	key: string;
	name: string;
}

/** Keeps the state after a poll, for when the node or its account is changed. */
export function noteState({ key, name }: PolledNode, state: PollState, hasRecords: boolean): void {
	latest.set(key, { name, state, before: hasRecords ? latest.get(key)?.state : undefined });
}

/**
 * Where this poll starts: a new state at the first poll, otherwise the stored one. After a pause or
 * a change of the filters or the account, older records are skipped.
 */
export function resumeState(
	stored: PollState | undefined,
	settings: PollSettings,
	{ node, nowMs, warn }: { node: PolledNode; nowMs: number; warn: (message: string) => void },
): PollState {
	const last = lastState(stored, node);
	const looked = Math.min(last?.lookedTo ?? nowMs, nowMs);
	const base = isNewer(last, stored, settings, node) ? structuredClone(last) : stored;
	// With durable cursors n8n 2.41 does not store what the poll of a publish remembers, unless that
	// starts an execution (poll-trigger-executor.js): then polling still begins at the publish.
	if (base === undefined) {
		return firstState(settings, Math.max(looked, nowMs - settings.catchUpMs));
	}
	const state = afterPause(base, settings, nowMs, warn);
	return isFor(state, settings) ? state : afterChange(state, settings, looked);
}

/**
 * The last state whose records n8n has taken. n8n 2.41 drops those of a poll that is still running
 * when the workflow is published again (poll-trigger-executor.js: "superseded"), and stores no state.
 */
function lastState(stored: PollState | undefined, { key }: PolledNode): PollState | undefined {
	const noted = latest.get(key);
	const isTaken = stored === undefined || stored.polledAt >= (noted?.state.polledAt ?? 0);
	return isTaken ? noted?.state : (noted?.before ?? noted?.state);
}

/** Whether the last state counts instead of what n8n has stored. */
function isNewer(
	last: PollState | undefined,
	stored: PollState | undefined,
	settings: PollSettings,
	{ key, name }: PolledNode,
): last is PollState {
	if (last?.event !== settings.event) return false;
	if (stored === undefined) return latest.get(key)?.name !== name;
	return last.polledAt > stored.polledAt && !isFor(stored, settings);
}

/** Whether nothing was changed since. */
function isFor(state: PollState, { account, filters }: PollSettings): boolean {
	return state.account === account && state.filters === JSON.stringify(filters);
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
	if (state.account === account) return fresh;
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
