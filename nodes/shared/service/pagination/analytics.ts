import { DateTime } from 'luxon';

import type { AnalyticsQuery } from '../contract/analytics';
import { ServiceFailure } from '../http/failure';
import type { JsonObject } from '../http/json';
import { count } from './page';
import type { List, Page } from './types';

/** As many as a range of three years takes when single days are handed out. */
const MAX_REQUESTS = 5000;

type ReadRange = (query: AnalyticsQuery) => Promise<Page>;

/**
 * Reads the figures of a range of days, the first and the last one included. The endpoint has no
 * pages (contract 4.4): when it reports more entries than it hands out, the range is halved and
 * asked again until all are there.
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
	/** Whether a range was left with fewer entries than reported. */
	gaveUp = false;

	/** What the user must know about days that could not be asked for. */
	readonly unread = new Set<string>();

	private requests = 0;

	constructor(private readonly readRange: ReadRange) {}

	/**
	 * The entries of a range as far as the service hands them out. Whether it counts the ends is not
	 * known (contract 4.9): the first or last day, if it isn't there, is asked for in a wider range.
	 */
	async range(query: AnalyticsQuery): Promise<Page> {
		const page = await this.read(query);
		const { startDate, endDate } = query;
		const days = page.rows.map(dayOf);
		// Entries of other days: the service has another idea of a day, and is believed.
		const isAsAsked = days.every((each) => each >= startDate && each <= endDate);
		if (isShort(page) || !isAsAsked) return page;
		const missing = new Set([startDate, endDate].filter((each) => !days.includes(each)));
		const rows = [...page.rows];
		for (const each of missing) rows.push(...(await this.around(each, query)));
		return { ...page, rows: rows.length === page.rows.length ? rows : inOrderOfDate(rows) };
	}

	/** All entries of a range, of which `whole` came when it was asked for in one. */
	async all(query: AnalyticsQuery, whole: Page): Promise<JsonObject[]> {
		if (!isShort(whole)) return whole.rows;
		const { rows, total } = whole;
		const ranges = this.requests < MAX_REQUESTS ? halve(query) : undefined;
		const pages = ranges && [await this.range(ranges[0]), await this.range(ranges[1])];
		const [earlier, later] = pages ?? [];
		// A total that both halves have in full is not one of the range.
		if (!ranges || !earlier || !later || (isIn(earlier, total) && isIn(later, total))) {
			this.gaveUp = true;
			return rows;
		}
		return joined(await this.all(ranges[0], earlier), await this.all(ranges[1], later));
	}

	/** The entries of a day, asked for with the days next to it. */
	private async around(date: string, query: AnalyticsQuery): Promise<JsonObject[]> {
		const middle = DateTime.fromISO(date, { zone: 'utc' });
		if (!middle.isValid) return [];
		const [startDate, endDate] = [day(middle.minus({ days: 1 })), day(middle.plus({ days: 1 }))];
		const [read] = await Promise.allSettled([this.read({ ...query, startDate, endDate })]);
		if (read.status === 'fulfilled') return read.value.rows.filter((row) => dayOf(row) === date);
		const error: unknown = read.reason;
		if (!(error instanceof ServiceFailure) || error.details.kind === 'cancelled') throw error;
		// It may refuse days that are still to come.
		this.unread.add(
			`The service returned no analytics for ${date}. Looking for them between ${startDate} and ${endDate} failed: ${error.message}.`,
		);
		return [];
	}

	private async read(query: AnalyticsQuery): Promise<Page> {
		this.requests++;
		return await this.readRange(query);
	}
}

function isShort({ rows, total }: Page): boolean {
	return total !== undefined && total > rows.length;
}

function isIn({ total }: Page, whole: number | undefined): boolean {
	return total !== undefined && whole !== undefined && total >= whole;
}

/** The day in the middle is in both halves. */
function joined(earlier: JsonObject[], later: JsonObject[]): JsonObject[] {
	const known = new Set(earlier.map(print));
	return [...earlier, ...later.filter((entry) => !known.has(print(entry)))];
}

/** Two halves that share a day, or two single days; undefined for a range that cannot be halved. */
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

/** Put together from parts, the entries come by date, whatever order the service has. */
function inOrderOfDate(rows: JsonObject[]): JsonObject[] {
	return rows.toSorted((one, other) => String(one.date).localeCompare(String(other.date)));
}
