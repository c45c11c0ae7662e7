import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../shared/service/http/json';
import { MAX_ZONE_MS } from '../../shared/service/recordTime';
import { EDGE_MS } from '../read/windows';
import type { PollSettings } from '../form';

/** Maximum number of remembered records; see `forget`. */
const MAX_SEEN = 2000;

/** Maximum number of remembered calls without an outcome. */
const MAX_WAITING = 1000;

/** A record that was delivered, or existed before polling started. */
export interface Seen {
	/** Its timestamp, or the latest possible one if that is uncertain. */
	time: number;
	/** The contents listed under this key, for records without an ID. */
	contents: string[];
}

/** What the trigger remembers between polls. All times are in milliseconds. */
export interface PollState {
	event: string;
	/** The account that was polled, see `accountOf`. */
	account: string;
	/** The filters as one text, to detect a change. */
	filters: string;
	/** Where the next poll starts reading. */
	from: number;
	/** When a catch-up that takes several polls started. */
	passStartedAt: number | undefined;
	/** Length of the next window, during a catch-up that takes several polls. */
	windowMs: number | undefined;
	/** How far polling has read. */
	lookedTo: number;
	/** Older records are never delivered. */
	floor: number;
	/** Records up to this time that are already listed existed before polling started. */
	quietUntil: number | undefined;
	polledAt: number;
	/** Records that may be listed again, by key. */
	seen: Map<string, Seen>;
	/** Calls that are not ready yet, with their time, by key. */
	waiting: Map<string, number>;
	/** When all long-waiting calls were last checked. */
	recheckedAt: number;
}

/** A state that starts polling at a given time, or as far before it as the user wants. */
export function firstState(settings: PollSettings, startMs: number): PollState {
	const { event, account, filters, historyMs, overlapMs } = settings;
	const floor = startMs - (historyMs || overlapMs);
	return {
		...{ event, account, filters: JSON.stringify(filters), from: floor },
		...{ passStartedAt: undefined, windowMs: undefined },
		...{ lookedTo: historyMs === 0 ? startMs : floor, floor },
		...{ quietUntil: historyMs === 0 ? startMs : undefined, polledAt: startMs },
		...{ seen: new Map<string, Seen>(), waiting: new Map<string, number>() },
		recheckedAt: startMs,
	};
}

/** The state in the node's static data; undefined before the first poll for this event. */
export function readState({ state }: IDataObject, event: string): PollState | undefined {
	if (!isJsonObject(state) || state.event !== event) return undefined;
	const from = numberIn(state.from);
	const polledAt = numberIn(state.polledAt);
	if (from === undefined || polledAt === undefined) return undefined;
	return {
		...{ event, filters: String(state.filters), from, polledAt },
		account: String(state.account),
		passStartedAt: numberIn(state.passStartedAt),
		windowMs: numberIn(state.windowMs),
		lookedTo: numberIn(state.lookedTo) ?? from,
		floor: numberIn(state.floor) ?? from,
		quietUntil: numberIn(state.quietUntil),
		seen: new Map(entries(state.seen).map(([key, value]) => [key, seenIn(value)])),
		waiting: new Map(entries(state.waiting).map(([key, value]) => [key, numberIn(value) ?? from])),
		recheckedAt: numberIn(state.recheckedAt) ?? 0,
	};
}

/**
 * Writes the state as plain data.
 *
 * @returns what was forgotten because there was too much, for a warning
 */
export function writeState(staticData: IDataObject, state: PollState): string[] {
	const forgotten = forget(state);
	const seen = [...state.seen].map(([key, { time, contents }]): [string, GenericValue] => [
		key,
		contents.length === 0 ? time : [time, ...contents],
	]);
	const plain: IDataObject = {
		...state,
		seen: Object.fromEntries(seen),
		waiting: Object.fromEntries(state.waiting),
	};
	// n8n stores JSON, which has no undefined fields.
	const stored = Object.entries(plain).filter(([, value]) => value !== undefined);
	staticData.state = Object.fromEntries(stored);
	return forgotten;
}

/** Limits the memory. Forgotten records must not be delivered again, so the floor rises. */
function forget(state: PollState): string[] {
	const warnings: string[] = [];
	const bySeen = [...state.seen].sort(([, one], [, other]) => one.time - other.time);
	const kept = bySeen.filter(([, { time }]) => time >= state.from - MAX_ZONE_MS).slice(-MAX_SEEN);
	const forgotten = bySeen.slice(0, bySeen.length - kept.length);
	state.seen = new Map(kept);
	const newest = forgotten.at(-1)?.[1].time ?? 0;
	state.floor = Math.max(state.floor, newest + 1);
	if (newest >= state.from - EDGE_MS) {
		warnings.push(
			`More than ${MAX_SEEN} records were created within the overlap. Records that the service lists late may be missed; set a shorter overlap.`,
		);
	}
	const byTime = [...state.waiting].sort(([, one], [, other]) => one - other);
	const tooMany = byTime.slice(0, Math.max(0, byTime.length - MAX_WAITING));
	for (const [key] of tooMany) state.waiting.delete(key);
	if (tooMany.length > 0) {
		warnings.push(
			`More than ${MAX_WAITING} calls have no outcome yet. The oldest ${tooMany.length} are no longer checked.`,
		);
	}
	return warnings;
}

function entries(value: unknown): Array<[string, unknown]> {
	return isJsonObject(value) ? Object.entries(value) : [];
}

function seenIn(value: unknown): Seen {
	const [time, ...contents]: unknown[] = Array.isArray(value) ? value : [value];
	return { time: numberIn(time) ?? 0, contents: contents.map(String) };
}

function numberIn(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
