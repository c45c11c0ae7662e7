import { createHash } from 'crypto';
import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../shared/service/json';

const MINUTE = 60_000;

/**
 * What a trigger remembers between polls: how far it has read, and the records that may be listed
 * again. Times are Unix milliseconds, by the service's clock where they concern its list.
 */
export interface PollState {
	/** Event and credential. For others, polling starts fresh. */
	source: string;
	/** Filters and overlap. With others, records are listed that were never seen. */
	view: string;
	/** Up to where the list was read. */
	readTo: number;
	/** The part of the list that is being read, over several polls if it is long. */
	reading: Range | undefined;
	/** Whether everything read now existed before polling started. */
	isStarting: boolean;
	/** How far the service's clock is ahead of n8n's. */
	clockAheadMs: number;
	/** Records that were delivered or existed before, with the end of the last range that listed them. */
	seen: Map<string, number>;
	/** Calls that may still get an outcome. */
	waiting: Map<string, WaitingCall>;
	/** The part of the list in which waiting calls are looked for that are older than the overlap. */
	rechecking: Range | undefined;
	recheckedAt: number;
}

/** Part of the list's time. `from` moves on as it is read. */
export interface Range {
	from: number;
	to: number;
}

export interface WaitingCall {
	createdAt: number;
	/** An outcome that was listed, and since when it is the same. */
	outcome?: { digest: string; since: number };
}

/** A state that has seen nothing yet and reads a range first. */
export function newState(
	about: Pick<PollState, 'source' | 'view' | 'isStarting' | 'clockAheadMs'>,
	reading: Range,
): PollState {
	return {
		...about,
		readTo: reading.from,
		reading,
		seen: new Map(),
		waiting: new Map(),
		rechecking: undefined,
		recheckedAt: 0,
	};
}

/** The state as plain data for n8n's database. There may be thousands of records, so it is short. */
export function storedState(state: PollState): IDataObject {
	const { reading, rechecking, seen, waiting, ...others } = state;
	const minutes = [...seen].map(([key, time]): Entry => [key, Math.floor(time / MINUTE)]);
	const calls = [...waiting].map(([key, { createdAt, outcome }]): Entry => {
		return [key, outcome ? [createdAt, outcome.digest, outcome.since] : createdAt];
	});
	return {
		...others,
		// n8n stores JSON, which has no undefined fields.
		...(reading && { reading: { ...reading } }),
		...(rechecking && { rechecking: { ...rechecking } }),
		seen: Object.fromEntries(minutes),
		waiting: Object.fromEntries(calls),
	};
}

/** The state that was stored; undefined if there is none. */
export function readState(stored: unknown): PollState | undefined {
	if (!isJsonObject(stored)) return undefined;
	const { source, view, isStarting, reading, rechecking } = stored;
	const readTo = numberIn(stored.readTo);
	if (typeof source !== 'string' || typeof view !== 'string' || readTo === undefined) {
		return undefined;
	}
	return {
		...{ source, view, readTo, isStarting: isStarting === true },
		...{ reading: rangeIn(reading), rechecking: rangeIn(rechecking) },
		clockAheadMs: numberIn(stored.clockAheadMs) ?? 0,
		seen: new Map(entries(stored.seen).map(([key, time]) => [key, MINUTE * (numberIn(time) ?? 0)])),
		waiting: new Map(entries(stored.waiting).map(([key, value]) => [key, waitingIn(value)])),
		recheckedAt: numberIn(stored.recheckedAt) ?? 0,
	};
}

/** A short text that changes with the content. */
export function digestOf(value: unknown, length = 12): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}

type Entry = [key: string, value: GenericValue];

function entries(value: unknown): Array<[string, unknown]> {
	return isJsonObject(value) ? Object.entries(value) : [];
}

function waitingIn(value: unknown): WaitingCall {
	const [created, digest, since]: unknown[] = Array.isArray(value) ? value : [value];
	const createdAt = numberIn(created) ?? 0;
	if (typeof digest !== 'string') return { createdAt };
	return { createdAt, outcome: { digest, since: numberIn(since) ?? 0 } };
}

function rangeIn(value: unknown): Range | undefined {
	if (!isJsonObject(value)) return undefined;
	const [from, to] = [numberIn(value.from), numberIn(value.to)];
	return from === undefined || to === undefined ? undefined : { from, to };
}

function numberIn(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
