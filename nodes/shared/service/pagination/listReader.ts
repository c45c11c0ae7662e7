import { Gate } from './pages/gate';
import { JoinedRows } from './joinedRows';
import { ListEnd } from './pages/listEnd';
import { isEmptyByChoice, PageSizes } from './pages/pageSizes';
import { PlaceSearch } from './placeSearch';
import { ReadAhead } from './pages/readAhead';
import type { PageRequest, ReadPage, ReadSettings } from './types';

/** Reads a list page by page until a page proves its end. */
export class ListReader {
	/** Whether rows moved or repeated so often that some may be missing. */
	unstable = false;

	/** Whether some pages could not be compared with the previous ones. */
	unchecked = false;

	readonly joined: JoinedRows;
	readonly end: ListEnd;

	private readonly ahead: ReadAhead;
	private readonly sizes: PageSizes;
	private readonly search = new PlaceSearch();
	/** How many rows to read. */
	private limit = 0;
	/** Offset of the next page; undefined if there is none. */
	private next: number | undefined = 0;
	private pages = 0;
	/** Whether the last page was full, so that more are likely. */
	private isFollowed = false;

	constructor(
		readPage: ReadPage,
		private readonly settings: ReadSettings,
	) {
		this.joined = new JoinedRows(settings.identity);
		this.end = new ListEnd(this.joined);
		this.ahead = new ReadAhead(readPage, new Gate(settings.pagesInParallel));
		this.sizes = new PageSizes(settings.pageSize);
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
		const { joined, end, settings, sizes } = this;
		const request = { offset, limit: this.limitAt(offset) };
		const page = await this.ahead.take(request, this.following(request));
		this.pages++;
		end.note(request, page);
		if (settings.onPage?.(page.rows) || end.isWholeAgain(request, page)) return undefined;

		this.isFollowed = sizes.isFull(request, page);
		this.unchecked ||= this.overlap < joined.overlap && !isEmptyByChoice(page, joined.overlap);
		const step = joined.join(offset, page.rows, this.overlap);
		sizes.note(request, page);
		if (step === 'apart') return this.searchFrom(offset) ?? this.giveUp();
		this.search.found();
		if (step === 'circular') return this.giveUp();
		if (end.isProved(request, page, step, this.isFollowed)) return undefined;
		if (end.isEndless(page, step)) return this.giveUp();
		return joined.end - this.overlap;
	}

	/** How many rows each page repeats to prove that it connects, if pages are that large. */
	private get overlap(): number {
		const { overlap } = this.joined;
		return this.sizes.haveRoomFor(overlap) ? overlap : 0;
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
		const { joined, settings, overlap, end } = this;
		const stride = this.sizes.largest - overlap;
		const isSteady = this.isFollowed && !this.search.isOn && end.isGrowing;
		if (settings.onPage || stride < 1 || !isSteady) return;
		const { total = 0 } = end;
		const expected = total >= joined.end ? total : 2 * joined.end;
		const wanted = this.limit + joined.end - joined.rows.length;
		const last = Math.min(expected, wanted) - overlap;
		for (let next = offset + stride; next < last; next += stride) {
			yield { offset: next, limit: this.limitAt(next) };
		}
	}
}
