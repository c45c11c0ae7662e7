import type { JsonObject } from '../http/json';

/**
 * The end of a time range for the pages after the first one, so that new records don't move the
 * others while a list is read. The service's clock may be ahead of ours: its newest record counts,
 * not only the time here. A list that begins with its oldest records needs no such end: new ones
 * come last.
 *
 * @param endTime as it was given, ISO 8601
 * @param firstPage in the service's order (contract 4.9 doesn't say which that is)
 * @param now when the first page was requested, Unix milliseconds
 */
export function frozenEnd(endTime: string, firstPage: JsonObject[], now: number): string {
	const end = Date.parse(endTime);
	if (Number.isNaN(end) || end <= now) return endTime;
	const times = firstPage.map(timeOf).filter((time) => !Number.isNaN(time));
	const [first, last] = [times[0], times.at(-1)];
	if (first === undefined || last === undefined || first < last) return endTime;
	return new Date(Math.min(end, Math.max(now, first) + MARGIN_MS)).toISOString();
}

/** Bounds may be exclusive, and times may be rounded to seconds. */
const MARGIN_MS = 1000;

function timeOf({ createdAt, callDateTime }: JsonObject): number {
	const time: unknown = createdAt ?? callDateTime;
	return typeof time === 'string' ? Date.parse(time) : Number.NaN;
}
