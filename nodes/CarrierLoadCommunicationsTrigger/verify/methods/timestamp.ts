import { number } from '../../../shared/fields/number';
import { MAX_ZONE_MS, readTime } from '../../../shared/service/recordTime';
import type { Refusal } from './method';

const DEFAULT_TOLERANCE_SECONDS = 300;

export const toleranceSeconds = number({
	label: 'Tolerance (Seconds)',
	min: 1,
	default: DEFAULT_TOLERANCE_SECONDS,
	about: 'Maximum age of a request, and maximum clock difference',
});

/** The tolerance in milliseconds; the default if the text is not a positive number. */
export function readTolerance(text: string): number {
	const seconds = Number(text);
	const isUsable = Number.isFinite(seconds) && seconds > 0;
	return (isUsable ? seconds : DEFAULT_TOLERANCE_SECONDS) * 1000;
}

/** Why a timestamp is not accepted; undefined if it is within the tolerance. */
export function checkTimestamp(text: string, toleranceMs: number, nowMs: number): Refusal {
	const sentMs = readTimestamp(text);
	if (sentMs === undefined) return 'its timestamp is not a time';
	const age = nowMs - sentMs;
	if (Math.abs(age) <= toleranceMs) return undefined;
	const seconds = Math.round(Math.abs(age) / 1000);
	return age > 0
		? `its timestamp is ${seconds} seconds old, or a clock is wrong`
		: `its timestamp is ${seconds} seconds in the future, so a clock is wrong`;
}

/** A timestamp in milliseconds, from Unix or ISO 8601; UTC if it names no zone. */
export function readTimestamp(text: string): number | undefined {
	const time = readTime(text);
	// A day is not exact enough.
	return time && time.toleranceMs <= MAX_ZONE_MS ? time.ms : undefined;
}
