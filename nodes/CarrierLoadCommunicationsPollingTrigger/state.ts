import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../shared/service/http/json';
import { MAX_ZONE_MS } from './records';
import { EDGE_MS } from './windows';
import type { PollSettings } from './form';

/** Records remembered at most; see `forget`. */
const MAX_SEEN = 2000;

/** Calls without an outcome remembered at most. */
const MAX_WAITING = 1000;

/** A record that was delivered, or was there before polling started. */
export interface Seen {
	/** Its time; the latest it can be where that is not certain. */
	time: number;
	/** The contents listed under this key, when records have no ID. */
	contents: string[];
}

/** What the trigger remembers between two polls. All times are milliseconds. */
export interface PollState {
	event: string;
	/** The filters as one text, to notice a change. */
	filters: string;
	/** Where the next poll begins to read. */
	from: number;
	/** When reading up to now began, while it takes several polls. */
	passStartedAt: number | undefined;
	/** How long the next window is, when a poll stopped on its way. */
	windowMs: number | undefined;
	/** How far polling has looked. */
	lookedTo: number;
	/** Records from before this are never delivered. */
	floor: number;
	/** Records up to this that are listed now were there before polling started. */
	quietUntil: number | undefined;
	polledAt: number;
	/** Records that may be listed again, by key. */
	seen: Map<string, Seen>;
	/** Calls that are not ready yet, with their time, by key. */
	waiting: Map<string, number>;
	/** When all calls that wait for long were last looked at, and where that stopped halfway. */
	recheckedAt: number;
	recheckFrom: number | undefined;
	recheckWindowMs: number | undefined;
}

/** A state in which polling starts at a moment, or as far before it as the user asked for. */
export function firstState(settings: PollSettings, startMs: number): PollState {
	const { event, filters, historyMs, overlapMs } = settings;
	const floor = startMs - (historyMs || overlapMs);
	return {
		...{ event, filters: JSON.stringify(filters), from: floor, passStartedAt: undefined },
		windowMs: undefined,
		recheckWindowMs: undefined,
		...{ lookedTo: historyMs === 0 ? startMs : floor, floor },
		...{ quietUntil: historyMs === 0 ? startMs : undefined, polledAt: startMs },
		...{ seen: new Map<string, Seen>(), waiting: new Map<string, number>() },
		...{ recheckedAt: startMs, recheckFrom: undefined },
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
		passStartedAt: numberIn(state.passStartedAt),
		windowMs: numberIn(state.windowMs),
		lookedTo: numberIn(state.lookedTo) ?? from,
		floor: numberIn(state.floor) ?? from,
		quietUntil: numberIn(state.quietUntil),
		seen: new Map(entries(state.seen).map(([key, value]) => [key, seenIn(value)])),
		waiting: new Map(entries(state.waiting).map(([key, value]) => [key, Number(value)])),
		recheckedAt: numberIn(state.recheckedAt) ?? 0,
		recheckFrom: numberIn(state.recheckFrom),
		recheckWindowMs: numberIn(state.recheckWindowMs),
	};
}

/**
 * Writes the state as plain data.
 *
 * @returns what had to be forgotten because there is too much of it, for a warning
 */
export function writeState(staticData: IDataObject, state: PollState): string[] {
	const forgotten = forget(state);
	const seen = [...state.seen].map(([key, { time, contents }]): [string, unknown] => [
		key,
		contents.length === 0 ? time : [time, ...contents],
	]);
	const plain: Record<string, unknown> = {
		...state,
		seen: Object.fromEntries(seen),
		waiting: Object.fromEntries(state.waiting),
	};
	// n8n stores JSON: an undefined field is one that is not there.
	const stored = Object.entries(plain).filter(([, value]) => value !== undefined);
	staticData.state = JSON.parse(JSON.stringify(Object.fromEntries(stored)));
	return forgotten;
}

/** Keeps the memory bounded. What is forgotten must not be delivered again: the floor rises. */
function forget(state: PollState): string[] {
	const warnings: string[] = [];
	for (const [key, { time }] of state.seen) {
		if (time < state.from - MAX_ZONE_MS) state.seen.delete(key);
	}
	const bySeen = [...state.seen].sort(([, one], [, other]) => one.time - other.time);
	const excess = bySeen.slice(0, Math.max(0, bySeen.length - MAX_SEEN));
	for (const [key] of excess) state.seen.delete(key);
	const readAgain = excess.filter(([, { time }]) => time >= state.from - EDGE_MS);
	if (readAgain.length > 0) {
		state.floor = Math.max(state.floor, ...readAgain.map(([, { time }]) => time + 1));
		warnings.push(
			`More than ${MAX_SEEN} records were made within the overlap. Records that the service lists late may be missed; set a shorter overlap.`,
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
