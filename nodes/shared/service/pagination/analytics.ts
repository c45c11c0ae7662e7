import { DateTime } from 'luxon';

import type { AnalyticsQuery } from '../contract';
import { passingFailure } from '../http/failure';
import type { JsonObject } from '../http/json';
import { isEmpty } from './list';
import { count } from './pages/page';
import type { List, Page } from './types';

/** Enough for a range of three years if the service returns single days. */
const MAX_REQUESTS = 5000;

interface Days extends Page {
	/** Whether the service left out days that it returns for a shorter range. */
	isCut?: boolean;
}

type ReadRange = (query: AnalyticsQuery) => Promise<Page>;

/**
 * Reads a range of days, both ends inclusive. The endpoint has no pages (contract 4.4): if it
 * reports more entries than it returns, the range is split in half until all are there.
 */
export async function readAnalytics(query: AnalyticsQuery, readRange: ReadRange): Promise<List> {
	const reader = new AnalyticsReader(readRange);
	const whole = await reader.range(query);
	const rows = isShort(whole) ? inOrderOfDate(await reader.all(query, whole)) : whole.rows;
	const hints = [...reader.unread];
	const { total = 0 } = whole;
	if (rows.length < total || reader.gaveUp) {
		hints.push(
			`The service reports ${count(total)} days of analytics but returned only ${count(rows.length)}, even for shorter ranges.`,
		);
	}
	return hints.length === 0 ? { rows } : { rows, hint: hints.join(' ') };
}

class AnalyticsReader {
	/** Whether a range still had fewer entries than reported. */
	gaveUp = false;

	/** Hints about days that could not be requested. */
	readonly unread = new Set<string>();

	private requests = 0;

	constructor(private readonly readRange: ReadRange) {}

	/**
	 * The entries of a range, as far as the service returns them. It is unknown whether it includes
	 * the ends (contract 4.9), so a missing first or last day is requested again in a wider range.
	 */
	async range(query: AnalyticsQuery): Promise<Days> {
		const page = await this.read(query);
		const { startDate, endDate } = query;
		const days = page.rows.filter((row) => !isEmpty(row)).map(dayOf);
		// Entries of other days: the service defines days differently, and is believed.
		const isAsAsked = days.every((each) => each >= startDate && each <= endDate);
		if (isShort(page) || !isAsAsked) return page;
		const missing = new Set([startDate, endDate].filter((each) => !days.includes(each)));
		const rows = [...page.rows];
		let isCut = false;
		for (const each of missing) {
			const near = await this.around(each, query);
			rows.push(...near.filter((row) => dayOf(row) === each));
			isCut ||= near.map(dayOf).some((day) => isBetween(day, query) && !days.includes(day));
		}
		if (isCut) return { rows: inOrderOfDate(rows), total: undefined, isCut };
		return { ...page, rows: rows.length === page.rows.length ? rows : inOrderOfDate(rows) };
	}

	/** All entries of a range. `whole` is the response for the whole range. */
	async all(query: AnalyticsQuery, whole: Days): Promise<JsonObject[]> {
		if (!isShort(whole)) return whole.rows;
		const { rows, total } = whole;
		const ranges = this.requests < MAX_REQUESTS ? halve(query) : undefined;
		const pages = ranges && [await this.range(ranges[0]), await this.range(ranges[1])];
		const [earlier, later] = pages ?? [];
		// If both halves report the same total, it isn't the range's.
		if (!ranges || !earlier || !later || (isIn(earlier, total) && isIn(later, total))) {
			this.gaveUp = true;
			return rows;
		}
		return joined(await this.all(ranges[0], earlier), await this.all(ranges[1], later));
	}

	/** The entries of a day and its neighbors. */
	private async around(date: string, query: AnalyticsQuery): Promise<JsonObject[]> {
		const middle = DateTime.fromISO(date, { zone: 'utc' });
		if (!middle.isValid) return [];
		const [startDate, endDate] = [day(middle.minus({ days: 1 })), day(middle.plus({ days: 1 }))];
		try {
			return (await this.read({ ...query, startDate, endDate })).rows;
		} catch (error) {
			// It may reject days in the future.
			this.unread.add(
				`The service returned no analytics for ${date}. Looking for them between ${startDate} and ${endDate} failed: ${passingFailure(error).message}.`,
			);
			return [];
		}
	}

	private async read(query: AnalyticsQuery): Promise<Page> {
		this.requests++;
		return await this.readRange(query);
	}
}

function isShort({ rows, total, isCut = false }: Days): boolean {
	return isCut || (total !== undefined && total > rows.length);
}

/** Whether a day is inside of a range, not at its ends. */
function isBetween(date: string, { startDate, endDate }: AnalyticsQuery): boolean {
	return date > startDate && date < endDate;
}

function isIn({ total }: Page, whole: number | undefined): boolean {
	return total !== undefined && whole !== undefined && total >= whole;
}

/** The middle day is in both halves. */
function joined(earlier: JsonObject[], later: JsonObject[]): JsonObject[] {
	const known = new Set(earlier.map(print));
	return [...earlier, ...later.filter((entry) => !known.has(print(entry)))];
}

/** Two halves that share a day, or two single days; undefined for a range that can't be split. */
function halve(query: AnalyticsQuery): [AnalyticsQuery, AnalyticsQuery] | undefined {
	const start = DateTime.fromISO(query.startDate, { zone: 'utc' });
	const end = DateTime.fromISO(query.endDate, { zone: 'utc' });
	const days = Math.round(end.diff(start, 'days').days);
	if (!(days >= 1)) return undefined;
	const middle = day(start.plus({ days: Math.floor(days / 2) }));
	const next = days === 1 ? query.endDate : middle;
	return [
		{ ...query, endDate: middle },
		{ ...query, startDate: next },
	];
}

function day(date: DateTime): string {
	return date.toFormat('yyyy-MM-dd');
}

/** The day of an entry, as the service writes it. */
function dayOf({ date }: JsonObject): string {
	return String(date).slice(0, 'yyyy-MM-dd'.length);
}

function print(entry: JsonObject): string {
	return JSON.stringify(entry);
}

/** Combined from parts, the entries are sorted by date, whatever the service's order. */
function inOrderOfDate(rows: JsonObject[]): JsonObject[] {
	return rows.toSorted((one, other) => String(one.date).localeCompare(String(other.date)));
}
