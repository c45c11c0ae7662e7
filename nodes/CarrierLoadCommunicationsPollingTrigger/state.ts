import { createHash } from 'crypto';

import { isJsonObject, parseJson } from '../shared/service/json';

/**
 * What a trigger remembers between polls: how far it has read, and the records that may be listed
 * again. Times are Unix milliseconds, by the service's clock where they concern its list.
 */
export interface PollState {
	/** Event and credential. For others, polling starts fresh. */
	source: string;
	/** Filters. With others, records are listed that were never seen. */
	view: string;
	/** Up to where the list was read. */
	readTo: number;
	/** The part of the list that is being read, over several polls if it is long. */
	reading?: Reading | undefined;
	/** Whether everything read now existed before polling started. */
	isStarting: boolean;
	/** How far the service's clock is ahead of n8n's. */
	clockAheadMs: number;
	/** Records that were delivered or existed before, with the last minute of the range that last listed them. */
	seen: Map<string, number>;
	waiting: Map<string, WaitingCall>;
	/** When those were last looked for that are older than the overlap. */
	recheckedAt: number;
}

export interface Range {
	from: number;
	to: number;
}

/** `from` moves on as it is read. Before `newFrom`, only waiting calls are looked for. */
export interface Reading extends Range {
	newFrom: number;
}

export interface WaitingCall {
	createdAt: number;
	/** An outcome that was listed, and since when it is the same. */
	outcome?: { digest: string; since: number };
}

interface StoredState extends Omit<PollState, 'seen' | 'waiting'> {
	seen: Array<[string, number]>;
	waiting: Array<[string, WaitingCall]>;
}

/** The state for n8n's database: as one text, because n8n watches every field for changes. */
export function storedState({ seen, waiting, ...others }: PollState): string {
	const stored: StoredState = { ...others, seen: [...seen], waiting: [...waiting] };
	return JSON.stringify(stored);
}

/** The state that was stored; undefined if there is none. */
export function readState(text: unknown): PollState | undefined {
	const stored = typeof text === 'string' ? parseJson(text) : undefined;
	if (!isStored(stored)) return undefined;
	return { ...stored, seen: new Map(stored.seen), waiting: new Map(stored.waiting) };
}

function isStored(stored: unknown): stored is StoredState {
	return isJsonObject(stored) && Array.isArray(stored.seen) && Array.isArray(stored.waiting);
}

/** A short text that changes with the content. */
export function digestOf(value: unknown, length = 12): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}
