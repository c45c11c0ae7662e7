import type { PollSettings } from './form';
import { isoTime } from './records';
import { firstState, type PollState } from './state';

/** A service's clock may be ahead by less, and the floor rises with its records. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

/** Up to when this process has read, per node. n8n's own copy may be older. */
const lookedTo = new Map<string, number>();

/** Records how far a node has read, for when its filters change. */
export function noteLookedTo(nodeKey: string, state: PollState): void {
	lookedTo.set(nodeKey, state.lookedTo);
}

/**
 * Where this poll starts: a new state at the first poll, otherwise the stored one. After a pause or
 * a change of the filters, older records are skipped.
 *
 * @param nodeKey identifies the node within this n8n
 */
export function resumeState(
	stored: PollState | undefined,
	settings: PollSettings,
	{ nodeKey, nowMs, warn }: { nodeKey: string; nowMs: number; warn: (message: string) => void },
): PollState {
	const looked = Math.min(lookedTo.get(nodeKey) ?? nowMs, nowMs);
	// With durable cursors n8n 2.41 does not store what the poll of a publish remembers, unless that
	// starts an execution (poll-trigger-executor.js): then polling still begins at the publish.
	if (stored === undefined) {
		return firstState(settings, Math.max(looked, nowMs - settings.catchUpMs));
	}
	const state = afterPause(stored, settings, nowMs, warn);
	const filters = JSON.stringify(settings.filters);
	if (state.filters === filters) return state;
	// Other filters show older records that were never delivered: only what is new counts. How far
	// the old filters looked is known only in this process; n8n may have stored less.
	const from = Math.max(looked - settings.overlapMs, state.floor);
	return { ...state, filters, from, passStartedAt: undefined, quietUntil: looked };
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
