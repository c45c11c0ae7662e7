import type { AnalyticsQuery } from '../contract';
import { passingFailure } from '../http/failure';
import type { JsonObject } from '../http/json';
import { around, dayOf, halve, inOrderOfDate, isBetween, isFarOff, joined } from './analyticsDays';
import { otherDays, shortAnalytics, unreadDay } from './hints';
import { isEmpty } from './list';
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
	const read = isShort(whole) ? inOrderOfDate(await reader.all(query, whole)) : whole.rows;
	const rows = read.filter((row) => !isFarOff(row, query));
	const hints = [...reader.unread];
	const { total = 0 } = whole;
	if (read.length < total || reader.gaveUp) hints.push(shortAnalytics(read.length, total));
	if (rows.length < read.length) hints.push(otherDays(read.length - rows.length));
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
			const near = await this.near(each, around(each, query, days));
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
		const halves = this.requests < MAX_REQUESTS ? halve(query) : undefined;
		const pages = halves && [await this.range(halves[0]), await this.range(halves[1])];
		const [earlier, later] = pages ?? [];
		// If both halves report the same total, it isn't the range's.
		if (!halves || !earlier || !later || (isIn(earlier, total) && isIn(later, total))) {
			this.gaveUp = true;
			return rows;
		}
		return joined(await this.all(halves[0], earlier), await this.all(halves[1], later));
	}

	/** The entries around a day. */
	private async near(day: string, query: AnalyticsQuery): Promise<JsonObject[]> {
		try {
			return (await this.read(query)).rows;
		} catch (error) {
			// It may reject days in the future.
			this.unread.add(unreadDay(day, query, passingFailure(error)));
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

function isIn({ total }: Page, whole: number | undefined): boolean {
	return total !== undefined && whole !== undefined && total >= whole;
}
