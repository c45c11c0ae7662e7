import { DateTime } from 'luxon';

import type { AnalyticsQuery } from '../contract/analytics';
import type { JsonObject } from '../http/json';
import { count } from './page';
import type { List, Page } from './types';

/** As many as a range of three years takes when single days are handed out. */
const MAX_REQUESTS = 5000;

type ReadRange = (query: AnalyticsQuery) => Promise<Page>;

/**
 * Reads the figures of a range of days. The endpoint has no pages (contract 4.4): when it reports
 * more entries than it hands out, the range is halved and asked again until all are there.
 */
export async function readAnalytics(query: AnalyticsQuery, readRange: ReadRange): Promise<List> {
	const first = await readRange(query);
	const { total } = first;
	if (total === undefined || total <= first.rows.length) return { rows: first.rows };

	const reader = new HalvingReader(readRange);
	const rows = inOrderOfDate(await reader.all(query, first));
	if (rows.length >= total && !reader.gaveUp) return { rows };
	return {
		rows,
		hint: `The service reports ${count(total)} days of analytics but returned only ${count(rows.length)}, even for shorter ranges.`,
	};
}

class HalvingReader {
	/** Whether a range was left with fewer entries than reported. */
	gaveUp = false;

	private requests = 1;

	constructor(private readonly readRange: ReadRange) {}

	/** All entries of a range, of which `whole` came when it was asked for in one. */
	async all(query: AnalyticsQuery, whole: Page): Promise<JsonObject[]> {
		const { rows, total } = whole;
		if (total === undefined || total <= rows.length) return rows;
		const ranges = this.requests < MAX_REQUESTS ? halve(query) : undefined;
		const pages = ranges && [await this.read(ranges[0]), await this.read(ranges[1])];
		const [earlier, later] = pages ?? [];
		// A total that both halves have in full is not one of the range.
		if (!ranges || !earlier || !later || (isIn(earlier, total) && isIn(later, total))) {
			this.gaveUp = true;
			return rows;
		}
		return joined(await this.all(ranges[0], earlier), await this.all(ranges[1], later));
	}

	private async read(query: AnalyticsQuery): Promise<Page> {
		this.requests++;
		return await this.readRange(query);
	}
}

function isIn({ total }: Page, whole: number): boolean {
	return total !== undefined && total >= whole;
}

/** The day in the middle is in both halves: contract 4.9 does not say whether an end counts. */
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

function print(entry: JsonObject): string {
	return JSON.stringify(entry);
}

/** Put together from halves, the entries come by date, whatever order the service has. */
function inOrderOfDate(rows: JsonObject[]): JsonObject[] {
	return rows.toSorted((one, other) => String(one.date).localeCompare(String(other.date)));
}
