import { digest } from '../digest';

/** A reservation lasts this long, or up to twice as long; less if the guard's time is shorter. */
const RESERVED_MS = 10 * 60_000;

/** This call is about to be dialed. */
export function begunEntry(key: string): string {
	return digest(['begun', key]);
}

/** This call of the service belongs to a request. */
export function takenEntry(callId: unknown): string {
	return digest(['call', String(callId).trim()]);
}

/** This call of the service is the one with this key. */
export function ownEntry(callId: unknown, key: string): string {
	return digest(['call', String(callId).trim(), key]);
}

/**
 * n8n's table stores what it is asked for, and another worker's write may bring back what was removed
 * again. So `ownEntry` is only asked for together with this entry, and is true only without it.
 */
export function askedEntry(callId: unknown, key: string): string {
	return digest(['asked', String(callId).trim(), key]);
}

/** Since when reservations count (Unix milliseconds). @param withinMs the duplicate guard's time */
export function reservedSince(withinMs: number): number {
	const periodMs = periodOf(withinMs);
	return (Math.floor(Date.now() / periodMs) - 1) * periodMs;
}

/** Entries have no time, so they contain the period: the one before, which counts too, and this one. */
export function reservedEntries(target: string | undefined, withinMs = RESERVED_MS): string[] {
	if (target === undefined) return [];
	const period = Math.floor(Date.now() / periodOf(withinMs));
	return [period - 1, period].map((each) => digest(['reserved', target, each]));
}

function periodOf(withinMs: number): number {
	return Math.min(RESERVED_MS, withinMs);
}
