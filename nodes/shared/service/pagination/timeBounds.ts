import type { TimeRange } from '../contract';
import type { JsonObject } from '../http/json';
import { timeOf } from '../recordTime';

/** The precision of times: the nodes send milliseconds. */
const STEP_MS = 1;

/** Bounds and times may be rounded to seconds. */
const SECOND_MS = 1000;

/**
 * A wider range, so that records at both ends are returned whether or not the service includes the
 * ends of a range (contract 4.9 doesn't say). `extraRows` recognizes the additional ones.
 */
export function widened({ startTime, endTime }: TimeRange): TimeRange {
	return { startTime: shifted(startTime, -STEP_MS), endTime: shifted(endTime, STEP_MS) };
}

/** The range without the time after `now`, if it has begun by then. */
export function upTo(now: number, { startTime, endTime }: TimeRange): TimeRange {
	const isOpen = Date.parse(startTime) < now && now < Date.parse(endTime);
	return { startTime, endTime: isOpen ? new Date(now).toISOString() : endTime };
}

/**
 * Tells whether a row was returned only because the range was widened. All others are in range for
 * the service. If it reads times in whole seconds, a millisecond more can be a second more.
 */
export function extraRows({ startTime, endTime }: TimeRange): (row: JsonObject) => boolean {
	const [start, end] = [Date.parse(startTime), Date.parse(endTime)];
	const ends = [
		{ exact: start, wider: start - STEP_MS },
		{ exact: end, wider: end + STEP_MS },
	];
	return (row) => {
		const time = exactTimeOf(row);
		return ends.some(({ exact, wider }) => {
			const isNewSecond = second(wider) !== second(exact);
			return time === wider || (isNewSecond && second(time) === second(wider));
		});
	};
}

function second(ms: number): number {
	return Math.floor(ms / SECOND_MS);
}

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
	const times = firstPage.map(exactTimeOf).filter((time) => !Number.isNaN(time));
	const [first, last] = [times[0], times.at(-1)];
	if (first === undefined || last === undefined || first < last) return endTime;
	return new Date(Math.min(end, Math.max(now, first) + SECOND_MS)).toISOString();
}

/** Unix milliseconds; NaN for a time without a zone, which only the service can interpret. */
function exactTimeOf(row: JsonObject): number {
	const time = timeOf(row);
	return time?.toleranceMs === 0 ? time.ms : Number.NaN;
}

function shifted(time: string, ms: number): string {
	const moment = new Date(Date.parse(time) + ms);
	return Number.isNaN(moment.getTime()) ? time : moment.toISOString();
}
