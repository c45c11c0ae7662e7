import type { JsonObject } from '../http/json';
import { Gate } from './gate';
import { JoinedRows, type Joined } from './joinedRows';
import { ReadAhead } from './readAhead';
import type { Identity, Page, PageRequest, ReadPage } from './types';

/** Pages must have room for the rows that they repeat, and for a new one. */
const MIN_PAGE_SIZE = 3;

/** How often the place where the list goes on may be searched for, besides once per page. */
const MAX_SEARCHES = 20;

/** How many pages in a row may have nothing new without being the end. */
const MAX_UNCHANGED_PAGES = 10;

export interface ReadSettings {
	/** How many rows to read; Infinity for all. */
	limit: number;
	pageSize: number;
	pagesInParallel: number;
	identity: Identity;
	/** Called with each page; true ends the reading. No page is requested ahead then. */
	onPage?: ((rows: JsonObject[]) => boolean) | undefined;
}

/**
 * Reads a list page by page until its end is proved: by a page that connects to the rows before it
 * and has nothing new, or that is short and agrees with the total. A total alone proves nothing
 * (contract 2.1 doesn't say what it counts), nor does an empty page.
 */
export class ListReader {
	/** As reported last. */
	total: number | undefined;

	/** Whether rows moved or were repeated so often that some may be missing. */
	unstable = false;

	/** Whether there were pages that could not be compared with the ones before them. */
	unchecked = false;

	readonly joined: JoinedRows;

	private readonly ahead: ReadAhead;
	private readonly pageSize: number;
	private largestPage = 0;
	private pages = 0;
	private searches = 0;
	private unchangedPages = 0;
	private endRechecked = false;
	/** Whether the last page was full, so that others are likely to follow. */
	private isFollowed = false;
	/** How far back the last search went, in rows; 0 while pages connect. */
	private distance = 0;

	constructor(
		readPage: ReadPage,
		private readonly settings: ReadSettings,
	) {
		this.joined = new JoinedRows(settings.identity);
		this.ahead = new ReadAhead(readPage, new Gate(settings.pagesInParallel));
		this.pageSize = Math.max(MIN_PAGE_SIZE, settings.pageSize);
	}

	/** Whether all rows are here that the service reports. */
	get reachedTotal(): boolean {
		return this.total !== undefined && this.pages > 0 && this.joined.end >= this.total;
	}

	/** @throws ServiceFailure that names the page; what was read until then is kept */
	async read(): Promise<void> {
		try {
			let offset: number | undefined = 0;
			while (offset !== undefined) offset = await this.readPageAt(offset);
		} finally {
			this.ahead.drop();
		}
	}

	/** Reads one page. Gives the offset of the next one, or undefined at the end. */
	private async readPageAt(offset: number): Promise<number | undefined> {
		const { joined, settings } = this;
		const isBlind = joined.rows.length > 0 && this.largestPage <= joined.overlap;
		const request = { offset, limit: this.limitAt(offset) };
		const page = await this.ahead.take(request, this.following(request));
		this.pages++;
		this.total = page.total ?? this.total;
		this.largestPage = Math.max(this.largestPage, page.rows.length);
		if (settings.onPage?.(page.rows)) return undefined;
		if (isBlind && this.largestPage <= joined.overlap) return this.appendUnchecked(offset, page);

		this.isFollowed = this.isFull(request, page);
		const step = joined.join(offset, page.rows);
		if (step === 'apart') return this.searchFrom(offset);
		this.distance = 0;
		if (joined.rows.length >= settings.limit || this.isEnd(request, page, step)) return undefined;
		this.unchangedPages = step === 'unchanged' ? this.unchangedPages + 1 : 0;
		if (this.unchangedPages > MAX_UNCHANGED_PAGES) return this.giveUp();
		return this.largestPage <= joined.overlap ? joined.end : joined.end - joined.overlap;
	}

	private isEnd({ offset }: PageRequest, { rows }: Page, step: Joined): boolean {
		const { joined, total } = this;
		if (this.isFollowed || joined.end !== offset + rows.length) return false;
		if (step === 'grew') return joined.end === total;
		// More is reported: the end is looked at once more.
		if (total === undefined || total <= joined.end || this.endRechecked) return true;
		this.endRechecked = true;
		return false;
	}

	/** Whether a page has as many rows as the service gives at a time, so that more may follow. */
	private isFull({ offset, limit }: PageRequest, { rows, appliedLimit = 0 }: Page): boolean {
		const size = rows.length;
		if (size === 0) return false;
		if (appliedLimit < 1) return size >= Math.min(limit, this.largestPage);
		// A service that clamps without saying so does it at a round number.
		const isRound = offset === 0 && size % 50 === 0;
		return isRound || size >= Math.min(limit, appliedLimit);
	}

	/** For a service that returns fewer rows at a time than two pages must share. */
	private appendUnchecked(offset: number, { rows, appliedLimit }: Page): number | undefined {
		const isClamped = appliedLimit !== undefined && appliedLimit <= this.joined.overlap;
		const [last] = this.joined.rows.slice(-1);
		if (rows.length > 0 && JSON.stringify(last) === JSON.stringify(rows[0])) {
			const isOneRecord = !isClamped && last?.id !== undefined && this.total === 1;
			return isOneRecord ? undefined : this.giveUp();
		}
		this.unchecked ||= rows.length > 0 || isClamped;
		if (rows.length === 0) return undefined;
		this.joined.append(offset, rows);
		return this.joined.rows.length >= this.settings.limit ? undefined : this.joined.end;
	}

	/** Rows have moved: where to look for the place where the list goes on. */
	private searchFrom(failed: number): number | undefined {
		const { joined } = this;
		if (failed === 0 || ++this.searches > MAX_SEARCHES + this.pages / 2) return this.giveUp();
		const expected = joined.end - joined.overlap;
		if (expected < failed) return expected;
		this.distance = this.distance === 0 ? Math.ceil(this.largestPage / 2) : 4 * this.distance;
		const nearest = Math.min(expected, joined.rows.length, failed - 1);
		return Math.max(0, nearest - this.distance);
	}

	private giveUp(): undefined {
		this.unstable = true;
		return undefined;
	}

	private limitAt(offset: number): number {
		const { joined, pageSize, settings } = this;
		const left = settings.limit - joined.rows.length + joined.end - offset;
		const least = joined.rows.length === 0 ? 1 : joined.overlap + 1;
		return Math.min(pageSize, Math.max(left, least));
	}

	/** The pages after one, if nothing moves, as far as the list is expected to go. */
	private *following({ offset }: PageRequest): Generator<PageRequest> {
		const { joined, settings } = this;
		const stride = this.largestPage - joined.overlap;
		const isSteady = this.isFollowed && this.distance === 0 && this.unchangedPages === 0;
		if (settings.onPage || stride < 1 || !isSteady) return;
		const end = this.total !== undefined && this.total >= joined.end ? this.total : 2 * joined.end;
		const wanted = settings.limit + joined.end - joined.rows.length;
		const last = Math.min(end, wanted) - joined.overlap;
		for (let next = offset + stride; next < last; next += stride) {
			yield { offset: next, limit: this.limitAt(next) };
		}
	}
}
