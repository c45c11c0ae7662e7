import { Gate } from './pages/gate';
import type { JsonObject } from '../http/json';
import { JoinedRows, type Joined } from './joinedRows';
import { isEmptyByChoice, PageSizes } from './pages/pageSizes';
import { PlaceSearch } from './placeSearch';
import { ReadAhead } from './pages/readAhead';
import type { Page, PageRequest, ReadPage, ReadSettings } from './types';

/** How many pages in a row may have nothing new without being the end. */
const MAX_UNCHANGED_PAGES = 10;

/**
 * Reads a list page by page until a page proves its end: it connects to the previous rows and has
 * nothing new, or it is short and agrees with the total. Neither a total alone (contract 2.1 doesn't
 * say what it counts) nor an empty page is proof.
 */
export class ListReader {
	/** As last reported. */
	total: number | undefined;

	/** Whether rows moved or repeated so often that some may be missing. */
	unstable = false;

	/** Whether some pages could not be compared with the previous ones. */
	unchecked = false;

	readonly joined: JoinedRows;

	private readonly ahead: ReadAhead;
	private readonly sizes: PageSizes;
	private readonly search = new PlaceSearch();
	/** How many rows to read. */
	private limit = 0;
	/** Offset of the next page; undefined if there is none. */
	private next: number | undefined = 0;
	private pages = 0;
	private unchangedPages = 0;
	private lastRows: JsonObject[] = [];
	private endRechecked = false;
	/** Whether the last page was full, so that more are likely. */
	private isFollowed = false;

	constructor(
		readPage: ReadPage,
		private readonly settings: ReadSettings,
	) {
		this.joined = new JoinedRows(settings.identity);
		this.ahead = new ReadAhead(readPage, new Gate(settings.pagesInParallel));
		this.sizes = new PageSizes(settings.pageSize);
	}

	/** Whether exactly the rows that the service reports were read. With more, its total is wrong. */
	get reachedTotal(): boolean {
		return this.pages > 0 && this.joined.end === this.total;
	}

	get ended(): boolean {
		return this.next === undefined;
	}

	/**
	 * Reads on until there are this many rows, or to the end.
	 *
	 * @throws ServiceFailure that names the page; rows read before are kept
	 */
	async read(limit = Number.POSITIVE_INFINITY): Promise<void> {
		this.limit = limit;
		try {
			while (this.next !== undefined && this.joined.rows.length < limit) {
				this.next = await this.readPageAt(this.next);
			}
		} finally {
			this.ahead.drop();
		}
	}

	/** Reads one page. Returns the next page's offset, or undefined at the end. */
	private async readPageAt(offset: number): Promise<number | undefined> {
		const { joined, settings, sizes } = this;
		const request = { offset, limit: this.limitAt(offset) };
		const page = await this.ahead.take(request, this.following(request));
		this.pages++;
		this.total = page.total ?? this.total;
		if (settings.onPage?.(page.rows) || this.isRepeatedList(request, page)) return undefined;

		this.isFollowed = sizes.isFull(request, page);
		this.unchecked ||= this.overlap < joined.overlap && !isEmptyByChoice(page, joined.overlap);
		const step = joined.join(offset, page.rows, this.overlap);
		sizes.note(request, page);
		if (step === 'apart') return this.searchFrom(offset) ?? this.giveUp();
		this.search.found();
		if (step === 'circular') return this.giveUp();
		if (this.isEnd(request, page, step)) return undefined;
		// Identical records connect to themselves: a service without pages would never end.
		const isUnchanged = step === 'unchanged' || joined.areSame(page.rows, this.lastRows);
		this.unchangedPages = isUnchanged ? this.unchangedPages + 1 : 0;
		this.lastRows = page.rows;
		if (this.unchangedPages > MAX_UNCHANGED_PAGES) return this.giveUp();
		return joined.end - this.overlap;
	}

	/** How many rows each page repeats to prove that it connects, if pages are that large. */
	private get overlap(): number {
		const { overlap } = this.joined;
		return this.sizes.haveRoomFor(overlap) ? overlap : 0;
	}

	private isEnd({ offset }: PageRequest, { rows }: Page, step: Joined): boolean {
		const { joined, total } = this;
		if (this.isFollowed || joined.end !== offset + rows.length) return false;
		if (step === 'grew') return joined.end === total;
		// More rows are reported, so the end is checked once more.
		if (total === undefined || total <= joined.end || this.endRechecked) return true;
		this.endRechecked = true;
		return false;
	}

	/** Whether a page is the whole list again, because the service has no pages. */
	private isRepeatedList({ offset }: PageRequest, { rows, appliedLimit = 0 }: Page): boolean {
		const isAll = this.total === rows.length && this.joined.areSame(rows, this.joined.rows);
		return isAll && offset > 0 && appliedLimit < 1;
	}

	/** After rows have moved: the offset at which to look for the list's continuation. */
	private searchFrom(failed: number): number | undefined {
		const { joined, pages, sizes } = this;
		const known = { rows: joined.rows.length, pages, pageSize: sizes.largest };
		return this.search.next(failed, joined.end - this.overlap, known);
	}

	private giveUp(): undefined {
		this.unstable = true;
		return undefined;
	}

	private limitAt(offset: number): number {
		const { joined, sizes, limit } = this;
		const left = limit - joined.rows.length + joined.end - offset;
		return Math.min(sizes.requested, Math.max(left, joined.overlap + 1));
	}

	/** The pages that follow if no rows move, up to the expected end of the list. */
	private *following({ offset }: PageRequest): Generator<PageRequest> {
		const { joined, settings, overlap } = this;
		const stride = this.sizes.largest - overlap;
		const isSteady = this.isFollowed && !this.search.isOn && this.unchangedPages === 0;
		if (settings.onPage || stride < 1 || !isSteady) return;
		const end = this.total !== undefined && this.total >= joined.end ? this.total : 2 * joined.end;
		const wanted = this.limit + joined.end - joined.rows.length;
		const last = Math.min(end, wanted) - overlap;
		for (let next = offset + stride; next < last; next += stride) {
			yield { offset: next, limit: this.limitAt(next) };
		}
	}
}
