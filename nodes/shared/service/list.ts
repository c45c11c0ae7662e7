import type { ListQuery, TimeRange } from './contract';
import { ServiceFailure } from './failure';
import { idOf, type JsonObject } from './json';
import type { Page } from './page';
import { loadKey, loadsIn, timeOf } from './record';
import { DEFAULT_PAGE_SIZE } from './request';
import type { ReadEvents } from './requests';

/** A list in the service's order. */
export interface List {
	rows: JsonObject[];
	/** Whether it is certainly all that was asked for. */
	complete: boolean;
	/** What may be missing and what to do, for the user. */
	hint?: string | undefined;
	/** What time it was for the service when it sent the last page (Unix milliseconds), if it says so. */
	servedAt?: number | undefined;
}

export interface PageRequest {
	offset: number;
	limit: number;
}

/** Requests one page of a time range. */
export type ReadPage = (
	range: TimeRange,
	request: PageRequest,
	events: ReadEvents,
) => Promise<Page>;

export interface ListRequest {
	range: TimeRange;
	readPage: ReadPage;
	/** Whether rows have an `id`. Those without (bids, contract 2.5) are compared by content. */
	hasIds: boolean;
	/** How many rows to return; undefined for all. */
	limit?: number | undefined;
	/** Shows each row, some of them twice; returns true when no more are needed. */
	visit?: ((row: JsonObject) => boolean) | undefined;
}

/** More rows than a year of a broker's calls: a list that has more never ends. */
const MAX_ROWS = 200_000;

/** The same of pages, and of characters: an execution with twice as many is too large for n8n to save. */
const MAX_PAGES = 2000;
const MAX_LENGTH = 256 * 1024 * 1024;

const SECOND_MS = 1000;

/** How far a record's time may be ahead of the response's `Date`, which a proxy may have set. */
const CLOCK_SLACK_MS = 2 * 60 * SECOND_MS;

/** What to do about an incomplete list. */
const AGAIN = 'Run it again, or for a shorter time range.';

/**
 * Reads a list page by page. If a page doesn't continue the one before it, or there are fewer rows
 * than the service reports, the list is read once more from its start and both readings are merged.
 * If it is still short, a hint says so with both numbers.
 *
 * @throws ServiceFailure that names the page that can't be read
 */
export async function readList(request: ListRequest): Promise<List> {
	const pages = new RangePages(request);
	const first = await new Reading(request, pages).all();
	if (!first.isDoubtful || first.isEndless) return listOf(request, pages, first, first.rows);
	const second = await new Reading(request, pages).all();
	return listOf(request, pages, second, merged(first.rows, second.rows, request.hasIds));
}

function listOf(
	{ limit }: ListRequest,
	pages: RangePages,
	reading: Reading,
	rows: JsonObject[],
): List {
	// What only the first reading has, the second may have missed.
	const have = reading.read + rows.length - reading.rows.length;
	const complete = !reading.isDoubtful && have === reading.read;
	const hints = [
		...(reading.empty > 0 ? [emptyRecords(reading.empty)] : []),
		...(complete ? [] : [shortList(have, reading)]),
	];
	return {
		rows: rows.slice(0, limit),
		complete,
		...(hints.length > 0 && { hint: hints.join(' ') }),
		servedAt: pages.servedAt,
	};
}

/** One reading of a list from its start. */
class Reading {
	readonly rows: JsonObject[] = [];
	/** The least number of all rows that was reported, and of those read: also empty ones, and just outside. */
	total: number | undefined;
	read = 0;
	empty = 0;
	/** Whether it was stopped because the list has no end. */
	isEndless = false;

	/** Whether no more rows were wanted. */
	private isEnough = false;
	private isMoved = false;
	/** Of all pages, in characters. */
	private length = 0;
	/** How many rows the service returns at a time, and was asked for. */
	private size = 0;
	private readonly asked: number;
	private readonly seen = new Set<number | string>();
	/** What identifies the pages that were read. */
	private readonly pageKeys = new Set<string>();
	private lastKey: string | undefined;

	constructor(
		private readonly request: ListRequest,
		private readonly pages: RangePages,
	) {
		this.asked = Math.max(2, Math.min(DEFAULT_PAGE_SIZE, request.limit ?? DEFAULT_PAGE_SIZE));
	}

	/** Whether rows may be missing: they moved between two pages, or the service reports more. */
	get isDoubtful(): boolean {
		return this.isEndless || (!this.isEnough && (this.isMoved || (this.total ?? 0) > this.read));
	}

	async all(): Promise<this> {
		const first = await this.pages.first({ offset: 0, limit: this.asked });
		this.size = first.rows.length;
		if (this.add(first, 0) || !mayContinue(first, this.asked)) return this;
		const ahead = new PagesAhead(this.pages, this.request.visit ? 1 : PARALLEL, (index) =>
			this.requestFor(index),
		);
		try {
			for (let index = 1; ; index++) {
				const page = await ahead.take(index, this.lastIndex()).catch((error: unknown) => {
					if (this.isAtEnd(error)) return undefined;
					throw this.failed(error, index);
				});
				if (page === undefined || this.add(page, index)) return this;
				// If the service reports more, only an empty page is the end.
				const full = Math.min(this.size, page.appliedLimit || this.size);
				const isShort = page.rows.length < full && (this.total ?? 0) <= this.read;
				if (page.rows.length === 0 || isShort) return this;
			}
		} finally {
			ahead.drop();
		}
	}

	/** Each page repeats the last row of the one before it, which shows whether rows have moved. */
	private requestFor(index: number): PageRequest {
		return { offset: index * Math.max(1, this.size - 1), limit: Math.max(2, this.size) };
	}

	/** The last page that is worth requesting ahead. */
	private lastIndex(): number {
		const { limit = Number.POSITIVE_INFINITY } = this.request;
		const expected = Math.max(this.total ?? 0, 2 * this.read);
		return Math.ceil(Math.min(expected, limit) / Math.max(1, this.size - 1)) - 1;
	}

	/** Adds a page's rows. Returns whether no more are to be read. */
	private add({ rows, total, length = 0 }: Page, index: number): boolean {
		const { hasIds, visit, limit = Number.POSITIVE_INFINITY } = this.request;
		// Rows that were added meanwhile don't count.
		if (total !== undefined) this.total = Math.min(total, this.total ?? total);
		const keys = [...rows.slice(0, 3), ...rows.slice(-3)].map((row) => keyOf(row, hasIds));
		const isAgain = this.pageKeys.has(keys.join()) && rows.length > 1;
		this.pageKeys.add(keys.join());
		if (isAgain) {
			// A service without pages returns the same rows for every offset: all there are, or as many
			// as were asked for.
			this.isMoved ||= index > 1 || this.size >= this.asked;
			return true;
		}
		const before = this.read;
		let fresh = rows;
		if (index > 0 && this.size > 1) {
			// Rows that were added at the beginning have moved the others to later pages.
			const anchor = rows.findIndex((row) => keyOf(row, hasIds) === this.lastKey);
			const isKnown = (row: JsonObject) => this.seen.has(idOf(row) ?? '');
			if (anchor === 0 || (anchor > 0 && rows.slice(0, anchor).every(isKnown))) {
				fresh = rows.slice(anchor + 1);
			} else this.isMoved = true;
		}
		const last = rows.at(-1);
		if (last) this.lastKey = keyOf(last, hasIds);
		for (const row of fresh) {
			const id = hasIds ? idOf(row) : undefined;
			if (id !== undefined && this.seen.size === this.seen.add(id).size) {
				this.isMoved = true;
				continue;
			}
			this.read++;
			if (isEmpty(row)) this.empty++;
			else if (!this.pages.isExtra(row)) {
				this.rows.push(visit ? withoutData(row) : row);
				if (visit?.(row) || this.rows.length >= limit) return (this.isEnough = true);
			}
		}
		this.isMoved ||= fresh.length > 0 && this.read === before;
		this.length += length;
		this.isEndless = this.read >= MAX_ROWS || this.length >= MAX_LENGTH || index >= MAX_PAGES - 1;
		return this.isEndless || (this.isMoved && this.read === before);
	}

	/** A service may refuse to be asked for more than its total. */
	private isAtEnd(error: unknown): boolean {
		return error instanceof ServiceFailure && error.isRefusal && this.total === this.read;
	}

	private failed(error: unknown, index: number): unknown {
		if (!(error instanceof ServiceFailure) || error.details.kind === 'cancelled') return error;
		const { offset, limit } = this.requestFor(index);
		const page = `records ${count(offset + 1)} to ${count(offset + limit)}`;
		const { advice } = error.details;
		const before = `${count(this.read)} records were read before it`;
		return error.with({ page, advice: advice === undefined ? before : `${advice}. ${before}` });
	}
}

/** Whether more rows may follow the first page. */
function mayContinue({ rows, total, appliedLimit = 0 }: Page, asked: number): boolean {
	if (rows.length === 0) return false;
	if (rows.length >= asked || (total ?? 0) > rows.length) return true;
	// A service that returns fewer rows than were asked for may always do so, unless it says how many.
	// One that doesn't say does it at a round number.
	if (appliedLimit > 0) return rows.length >= appliedLimit;
	return total === undefined || rows.length % 50 === 0;
}

/** The pages of a range, all with the same end. One that is open ends a few minutes from now. */
class RangePages {
	servedAt: number | undefined;

	private range: TimeRange;
	private readonly readPage: ReadPage;
	private isWidened = true;

	constructor({ range, readPage }: ListRequest) {
		this.range = range;
		this.readPage = readPage;
	}

	async first(request: PageRequest): Promise<Page> {
		const now = Date.now();
		const page = await this.read(request, {}).catch(async (error: unknown) => {
			if (!(error instanceof ServiceFailure) || !error.isRefusal || !this.isWidened) throw error;
			// The service may allow at most 31 days, or no time in its future.
			this.isWidened = false;
			this.range = upTo(error.details.answeredAt ?? now, this.range);
			return await this.read(request, {});
		});
		const end = Date.parse(this.range.endTime);
		const latest = Math.max(page.servedAt ?? 0, newestOf(page.rows));
		if (end < now || latest <= end) return page;
		// The service's clock is so far ahead that its newest records are still missing.
		this.range = { ...this.range, endTime: new Date(latest + CLOCK_SLACK_MS).toISOString() };
		return await this.read(request, {});
	}

	async read(request: PageRequest, events: ReadEvents): Promise<Page> {
		const { startTime, endTime } = this.range;
		const range = this.isWidened
			? { startTime: shifted(startTime, -1), endTime: shifted(endTime, 1) }
			: this.range;
		const page = await this.readPage(range, request, events);
		this.servedAt = page.servedAt ?? this.servedAt;
		return page;
	}

	/**
	 * Whether a row was returned only because the range is a millisecond wider at both ends: bounds may
	 * be exclusive (contract 4.9), and the service may read them in whole seconds.
	 */
	isExtra(row: JsonObject): boolean {
		const time = timeOf(row);
		if (!this.isWidened || time === undefined || time.toleranceMs > 0) return false;
		const start = Date.parse(this.range.startTime);
		const end = Date.parse(this.range.endTime);
		const isBefore = time.ms < start && time.ms >= start - SECOND_MS;
		return isBefore || (time.ms > end && time.ms <= end + SECOND_MS);
	}
}

function newestOf(rows: JsonObject[]): number {
	const times = rows.flatMap((row) => {
		const time = timeOf(row);
		return time?.toleranceMs === 0 ? [time.ms] : [];
	});
	return Math.max(0, ...times);
}

function upTo(now: number, { startTime, endTime }: TimeRange): TimeRange {
	const isOpen = Date.parse(startTime) < now && now < Date.parse(endTime);
	return { startTime, endTime: isOpen ? new Date(now).toISOString() : endTime };
}

function shifted(time: string, ms: number): string {
	const moment = new Date(Date.parse(time) + ms);
	return Number.isNaN(moment.getTime()) ? time : moment.toISOString();
}

/** Requests the next pages before they are needed. */
class PagesAhead {
	private readonly limiter: AdaptiveLimiter;
	private readonly pending = new Map<number, Promise<Page | undefined>>();
	private isOver = false;

	constructor(
		private readonly pages: RangePages,
		parallel: number,
		private readonly requestFor: (index: number) => PageRequest,
	) {
		this.limiter = new AdaptiveLimiter(parallel);
	}

	/** @param last the last page to request ahead */
	async take(index: number, last: number): Promise<Page | undefined> {
		const { allowed } = this.limiter;
		const most = allowed === 1 ? index + 1 : index + 2 * allowed;
		for (let next = index; next < most && (next === index || next <= last); next++) {
			if (this.pending.has(next)) continue;
			const page = this.read(next);
			// A failed page is reported when it is needed.
			page.catch(() => {});
			this.pending.set(next, page);
		}
		const page = await this.pending.get(index);
		this.pending.delete(index);
		return page;
	}

	drop(): void {
		this.isOver = true;
	}

	private async read(index: number): Promise<Page | undefined> {
		const { limiter } = this;
		await limiter.enter();
		let isIn = true;
		const leave = () => {
			if (isIn) limiter.leave();
			isIn = false;
		};
		try {
			if (this.isOver) return undefined;
			return await this.pages.read(this.requestFor(index), {
				onThrottled: () => limiter.throttled(),
				// The next page is requested while this one is parsed.
				onAnswered: leave,
			});
		} finally {
			leave();
		}
	}
}

/** How many pages of a list are requested at the same time. */
const PARALLEL = 4;

/** Limits what is requested at the same time: half as much after each 429. */
class AdaptiveLimiter {
	private entered = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(public allowed: number) {}

	async enter(): Promise<void> {
		if (this.entered < this.allowed) this.entered++;
		else await new Promise<void>((enter) => void this.waiting.push(enter));
	}

	leave(): void {
		const next = this.entered <= this.allowed ? this.waiting.shift() : undefined;
		if (next) next();
		else this.entered--;
	}

	throttled(): void {
		this.allowed = Math.max(1, Math.floor(this.allowed / 2));
	}
}

/** Both readings' rows: those of the second, and what only the first has. */
function merged(first: JsonObject[], second: JsonObject[], hasIds: boolean): JsonObject[] {
	const known = new Map<string, number>();
	for (const row of second) {
		const key = keyOf(row, hasIds);
		known.set(key, (known.get(key) ?? 0) + 1);
	}
	const missing = first.filter((row) => {
		const key = keyOf(row, hasIds);
		const left = known.get(key) ?? 0;
		known.set(key, left - 1);
		return left <= 0;
	});
	return [...second, ...missing];
}

function keyOf(row: JsonObject | undefined, hasIds: boolean): string {
	const id = row && hasIds ? idOf(row) : undefined;
	return id === undefined ? JSON.stringify(row) : `${typeof id} ${id}`;
}

/** Keeps only what is needed to compare rows, because lists are long. */
function withoutData(row: JsonObject): JsonObject {
	const { id, createdAt } = row;
	return id === undefined || id === null ? row : { id, createdAt };
}

/** Whether the service sent something else than a record, or one without fields. */
export function isEmpty(row: JsonObject): boolean {
	return Object.keys(row).length === 0;
}

export function count(number: number): string {
	return number.toLocaleString('en-US');
}

export function emptyRecords(number: number): string {
	return number === 1
		? 'The service returned 1 empty record, which was left out.'
		: `The service returned ${count(number)} empty records, which were left out.`;
}

function shortList(have: number, { total, isEndless }: Reading): string {
	const records = have === 1 ? '1 record' : `${count(have)} records`;
	if (isEndless) {
		return `The list did not end after ${records}, so it was not read further. Choose a shorter time range.`;
	}
	if (total !== undefined && total > have) {
		return `The service reports ${count(total)} records but returned ${count(have)}, also when they were read again. The list may be incomplete. ${AGAIN}`;
	}
	return `The service moved records while they were read, also when they were read again: it returned ${records}, and some may be missing. ${AGAIN}`;
}

const MAX_SHOWN = 3;

/**
 * Refuses a list of a service that ignored a filter (contract 4.1): whoever is called next would be
 * strangers. A record may name its load or carrier by another of its numbers, but then all records
 * have that one in common.
 *
 * @throws ServiceFailure if the records are of several other loads or carriers
 */
export function refuseUnfiltered({ loadId, mcNumber }: ListQuery, rows: JsonObject[]): void {
	// One page shows it, and all would block n8n.
	const checked = rows.slice(0, DEFAULT_PAGE_SIZE);
	// What `loads` of a conversation means is unknown (contract 2.2).
	const loads = checked.map((row) => loadsIn(row.loadIds ?? row.loadId));
	refuseOthers(['Load ID', 'loads'], loadId && loadKey(loadId), loads);
	const carriers = checked.map((row) => digitsIn(row.mcNumber ?? row.carrierMc));
	refuseOthers(['MC Number', 'carriers'], digitsIn(mcNumber)[0], carriers);
}

/**
 * @param filter its label, and what it filters by
 * @param named the numbers that each record names, if any
 */
function refuseOthers(
	[filter, things]: [string, string],
	wanted: string | undefined,
	named: string[][],
): void {
	if (!wanted) return;
	const isWanted = (number: string) => number.includes(wanted) || wanted.includes(number);
	const others = named.filter((numbers) => numbers.length > 0 && !numbers.some(isWanted));
	const [first = [], ...rest] = others.map((numbers) => new Set(numbers));
	const isOneInCommon = [...first].some((number) => rest.every((numbers) => numbers.has(number)));
	if (others.length === 0 || isOneInCommon) return;
	const shown = [...new Set(others.flat())].slice(0, MAX_SHOWN).join(', ');
	throw new ServiceFailure({
		kind: 'unreadable',
		what: `The service ignored the filter ${filter} (${wanted}): it returned records of other ${things} (${shown})`,
		advice:
			'Contact the service operator. Until it is fixed, leave this filter empty, and filter the records with a Filter node',
	});
}

/** The digits of an MC number, in any format. */
function digitsIn(mcNumber: unknown): string[] {
	if (typeof mcNumber !== 'string' && typeof mcNumber !== 'number') return [];
	const digits = String(mcNumber).slice(0, 100).replace(/\D/g, '').replace(/^0+/, '');
	return digits === '' ? [] : [digits];
}
