import { ServiceFailure } from '../../shared/service/http/failure';
import { isoTime } from './records';
import type { ReadRange } from './windows';

/** The service is asked at least this often, in milliseconds, so that n8n keeps showing that it is busy. */
const LONGEST_MS = 60 * 60 * 1000;

/** When the service may be asked again, in Unix milliseconds, by trigger and account. */
const busyUntil = new Map<string, number>();

/** Whether the service has asked to wait longer. */
export function isBusy(key: string, nowMs: number): boolean {
	const leftMs = (busyUntil.get(key) ?? 0) - nowMs;
	// A clock that was set back must not stop polling.
	return leftMs > 0 && leftMs <= LONGEST_MS;
}

/** Notes how long the service asks to wait (`Retry-After`); the error then says when polling goes on. */
export function notingBusy(key: string, read: ReadRange): ReadRange {
	return async (...range) =>
		await read(...range).catch(async (error: unknown) => await Promise.reject(noted(key, error)));
}

function noted(key: string, error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	const { retryAfterMs: waitMs = 0 } = error.details;
	if (waitMs === 0) return error;
	const nowMs = Date.now();
	const untilMs = nowMs + Math.min(waitMs, LONGEST_MS);
	busyUntil.set(key, untilMs);
	const asked = `The service asks to wait until ${isoTime(nowMs + waitMs)}`;
	return error.with({ advice: `${asked}. Polling continues at ${isoTime(untilMs)}` });
}
