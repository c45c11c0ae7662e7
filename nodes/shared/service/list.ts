import { DEFAULT_PAGE_SIZE, type TimeRange } from './contract';
import { passingFailure } from './failure';
import { idOf, type JsonObject } from './json';
import { hintOf, pageFailure } from './listHint';
import type { Page, ListRequest, List, PageRequest } from './pages';

/** More rows than a year of a broker's calls: a list that has more never ends. */
const MAX_ROWS = 200_000;
/** The same of pages, and of characters: an execution with twice as many is too large for n8n to save. */
const MAX_PAGES = 2000;
const MAX_LENGTH = 256 * 1024 * 1024;
/** How many pages of a list are requested at the same time. */
const PARALLEL = 4;
/** How far a record's time may be ahead of the response's `Date`, which a proxy may have set. */
const CLOCK_SLACK_MS = 2 * 60 * 1000;

/**
 * Reads a list page by page. If a page doesn't continue the one before it, or there are fewer rows
 * than the service reports, the list is read once more from its start and both readings are merged.
 * If it is still short, a hint says so with both numbers.
 * @throws ServiceFailure that names the page that can't be read
 */
export async function readList(request: ListRequest): Promise<List> {
	const { hasIds, limit } = request;
	const first = await new Reading(request, request.range).all();
	const isRepeated = first.isDoubtful && !first.isEndless;
	const last = isRepeated ? await new Reading(request, first.range).all() : first;
	const known = new Set(isRepeated ? last.rows.map((row) => keyOf(row, hasIds)) : []);
	// What only the first reading has, the second may have missed.
	const missed = isRepeated ? first.rows.filter((row) => !known.has(keyOf(row, hasIds))) : [];
	const rows = [...last.rows, ...missed];
	const complete = !last.isDoubtful && missed.length === 0;
	return {
		rows: rows.slice(0, limit),
		complete,
		hint: complete ? undefined : hintOf(rows.length, last),
		servedAt: last.servedAt,
	};
}

class Reading {
	readonly rows: JsonObject[] = [];
	/** The least number of all rows that was reported: rows that were added meanwhile don't count. */
	total: number | undefined;
	servedAt: number | undefined;
	isEndless = false;

	private isEnough = false;
	private isMoved = false;
	private length = 0;
	/** How many rows the service was asked for, and returns at a time. */
	private readonly asked: number;
	private size: number;
	private parallel: number;
	private readonly seen = new Set<number | string>();
	private lastKey = '';

	constructor(
		private readonly request: ListRequest,
		public range: TimeRange,
	) {
		this.asked = Math.max(2, Math.min(DEFAULT_PAGE_SIZE, request.limit ?? DEFAULT_PAGE_SIZE));
		this.size = this.asked;
		this.parallel = request.visit ? 1 : PARALLEL;
	}

	/** Whether rows may be missing: they moved between two pages, or the service reports more. */
	get isDoubtful(): boolean {
		const isShort = this.isMoved || (this.total ?? 0) > this.rows.length;
		return this.isEndless || (!this.isEnough && isShort);
	}

	async all(): Promise<this> {
		if (this.add(await this.firstPage(), 0)) return this;
		const ahead: Array<Promise<Page>> = [];
		for (let index = 1, next = 1; ; index++) {
			while (next <= index || (next < index + this.parallel && next <= this.lastIndex())) {
				const page = this.page(next++);
				// A failed page is reported when it is needed.
				page.catch(() => {});
				ahead.push(page);
			}
			const page = await ahead.shift()?.catch((error: unknown) => {
				throw pageFailure(error, this.requestFor(index), this.rows.length);
			});
			if (page === undefined || this.add(page, index)) return this;
		}
	}

	/** A range up to now ends later if the service's clock is further ahead, and now if it refuses the future. */
	private async firstPage(): Promise<Page> {
		const now = Date.now();
		const { startTime, endTime } = this.range;
		const isOpen = Date.parse(startTime) < now && now < Date.parse(endTime);
		const readTo = async (end: number) => {
			this.range = { startTime, endTime: new Date(end).toISOString() };
			return await this.page(0);
		};
		try {
			const page = await this.page(0);
			const { servedAt = 0 } = page;
			const isAhead = isOpen && servedAt > Date.parse(endTime);
			return isAhead ? await readTo(servedAt + CLOCK_SLACK_MS) : page;
		} catch (error) {
			const failure = passingFailure(error);
			const { status = 0 } = failure.details;
			if (!isOpen || ![400, 422].includes(status)) throw failure;
			return await readTo(now);
		}
	}

	private async page(index: number): Promise<Page> {
		return await this.request.readPage(this.range, this.requestFor(index), () => {
			this.parallel = Math.max(1, Math.floor(this.parallel / 2));
		});
	}

	/** Each page repeats the last row of the one before it, which shows whether rows have moved. */
	private requestFor(index: number): PageRequest {
		return {
			offset: index * Math.max(1, this.size - 1),
			limit: Math.max(2, Math.min(this.size, this.asked)),
		};
	}

	/** The last page that is surely there, so that it can be requested ahead. */
	private lastIndex(): number {
		const rows = Math.min(this.total ?? 0, this.request.limit ?? Number.POSITIVE_INFINITY);
		return Math.ceil((rows - 1) / Math.max(1, this.size - 1)) - 1;
	}

	/** Adds a page's rows. Returns whether no more are to be read. */
	private add({ rows, total, appliedLimit, servedAt, length = 0 }: Page, index: number): boolean {
		const { hasIds, visit, limit = Number.POSITIVE_INFINITY } = this.request;
		if (total !== undefined) this.total = Math.min(total, this.total ?? total);
		this.servedAt = servedAt ?? this.servedAt;
		// A service that reports neither may always return fewer rows than it was asked for.
		const usual = appliedLimit || (index === 0 && total === undefined ? rows.length : this.size);
		const isFull = rows.length > 0 && rows.length >= Math.min(this.size, usual);
		if (index === 0) this.size = rows.length;
		const anchor = index === 0 ? -1 : rows.findIndex((row) => keyOf(row, hasIds) === this.lastKey);
		const inserted = rows.slice(0, Math.max(0, anchor));
		this.lastKey = keyOf(rows.at(-1) ?? {}, hasIds);
		if (index > 0 && this.size > 1) {
			// Rows with IDs may have moved back, because others were added before them.
			this.isMoved ||= anchor < 0 || inserted.some((row) => !hasIds || idOf(row) === undefined);
		}
		const before = this.rows.length;
		for (const [at, row] of rows.entries()) {
			const id = hasIds ? idOf(row) : undefined;
			const isKnown = id === undefined ? at <= anchor : this.seen.has(id);
			if (isKnown && at > anchor) this.isMoved = true;
			// What is no record, or one without fields, is left out.
			if (isKnown || Object.keys(row).length === 0) continue;
			if (id !== undefined) this.seen.add(id);
			// What is visited is kept only to compare it.
			this.rows.push(visit && id !== undefined ? { id } : row);
			if (visit?.(row) || this.rows.length >= limit) return (this.isEnough = true);
		}
		this.length += length;
		this.isEndless =
			this.rows.length >= MAX_ROWS || this.length >= MAX_LENGTH || index >= MAX_PAGES - 1;
		if (this.rows.length > before) {
			// If the service reports more, only a page without new rows is the end.
			return this.isEndless || (!isFull && (this.total ?? 0) <= this.rows.length);
		}
		// A service without pages returns the same rows for every offset: all there are, if they aren't as
		// many as were asked for, and have the IDs that tell them apart.
		const hasAllIds = !hasIds || rows.every((row) => idOf(row) !== undefined);
		const isAll = index === 1 && rows.length === this.size && this.size !== this.asked && hasAllIds;
		this.isMoved ||= isFull && !isAll;
		return true;
	}
}

function keyOf(row: JsonObject, hasIds: boolean): string {
	const id = hasIds ? idOf(row) : undefined;
	return id === undefined ? JSON.stringify(row) : `${typeof id} ${id}`;
}
