import { DateTime } from 'luxon';

import type { AnalyticsQuery } from '../contract';
import type { JsonObject } from '../http/json';

/** The day of an entry, as the service writes it. */
export function dayOf({ date }: JsonObject): string {
	return String(date).slice(0, 'yyyy-MM-dd'.length);
}

/** Whether a day is inside of a range, not at its ends. */
export function isBetween(day: string, { startDate, endDate }: AnalyticsQuery): boolean {
	return day > startDate && day < endDate;
}

/** Whether an entry is of a day that no definition of a day puts in the range. */
export function isFarOff(entry: JsonObject, { startDate, endDate }: AnalyticsQuery): boolean {
	const day = dayOf(entry);
	return isDay(day) && (day < shifted(startDate, -1) || day > shifted(endDate, 1));
}

/**
 * A missing day at an end of a range, its neighbors, and what is missing between it and the nearest of
 * the days that have an entry.
 */
export function around(
	day: string,
	query: AnalyticsQuery,
	days: readonly string[],
): AnalyticsQuery {
	const nearest = days.toSorted().at(day === query.startDate ? 0 : -1) ?? day;
	const [startDate = day, ...others] = [shifted(day, -1), shifted(day, 1), nearest].toSorted();
	return { ...query, startDate, endDate: others.at(-1) ?? day };
}

/** Two halves that share a day, or two single days; undefined for a range that can't be split. */
export function halve(query: AnalyticsQuery): [AnalyticsQuery, AnalyticsQuery] | undefined {
	const { startDate, endDate } = query;
	const days = Math.round(parsed(endDate).diff(parsed(startDate), 'days').days);
	if (!(days >= 1)) return undefined;
	const middle = shifted(startDate, Math.floor(days / 2));
	return [
		{ ...query, endDate: middle },
		{ ...query, startDate: days === 1 ? endDate : middle },
	];
}

/** The entries of two halves. Both have the middle day, whose numbers may have changed meanwhile. */
export function joined(earlier: JsonObject[], later: JsonObject[]): JsonObject[] {
	const known = new Set(earlier.map(keyOf));
	return [...earlier, ...later.filter((entry) => !known.has(keyOf(entry)))];
}

/** Combined from parts, the entries are sorted by date, whatever the service's order. */
export function inOrderOfDate(rows: JsonObject[]): JsonObject[] {
	return rows.toSorted((one, other) => String(one.date).localeCompare(String(other.date)));
}

function keyOf(entry: JsonObject): string {
	const day = dayOf(entry);
	return isDay(day) ? day : JSON.stringify(entry);
}

function isDay(text: string): boolean {
	return /^\d{4}-\d\d-\d\d$/.test(text);
}

function shifted(day: string, days: number): string {
	return parsed(day).plus({ days }).toFormat('yyyy-MM-dd');
}

function parsed(day: string): DateTime {
	return DateTime.fromISO(day, { zone: 'utc' });
}
