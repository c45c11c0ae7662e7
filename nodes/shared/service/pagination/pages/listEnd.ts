import type { JsonObject } from '../../http/json';
import type { Joined, JoinedRows } from '../joinedRows';
import type { Page, PageRequest } from '../types';

/** How many pages in a row may have nothing new without being the end. */
const MAX_UNCHANGED_PAGES = 10;

/**
 * Recognizes the end of a list: a page that connects to the previous rows and has nothing new, or
 * that is short and agrees with the total. Neither a total alone (contract 2.1 doesn't say what it
 * counts) nor an empty page is proof.
 */
export class ListEnd {
	/** The number of all rows, as last reported. */
	total: number | undefined;

	/** The smallest total that was reported. */
	private leastTotal = Number.POSITIVE_INFINITY;
	private firstLimit = 0;
	private unchangedPages = 0;
	private lastRows: JsonObject[] = [];
	private isRechecked = false;

	constructor(private readonly joined: JoinedRows) {}

	/** Whether exactly the rows that the service reports were read. With more, its total is wrong. */
	get isAtTotal(): boolean {
		return this.joined.end === this.total;
	}

	/**
	 * Whether the list ended before its total; or fewer rows were read than every total says, as when
	 * rows change places between two pages. Rows added meanwhile don't count.
	 */
	get isShort(): boolean {
		const { joined, leastTotal, total = 0 } = this;
		return total > joined.end || (Number.isFinite(leastTotal) && leastTotal > joined.all.length);
	}

	/** Whether the last page had anything new. */
	get isGrowing(): boolean {
		return this.unchangedPages === 0;
	}

	note({ offset, limit }: PageRequest, { total }: Page): void {
		if (offset === 0) this.firstLimit = limit;
		if (total === undefined) return;
		this.total = total;
		this.leastTotal = Math.min(this.leastTotal, total);
	}

	/** @param isFollowed whether the page is full, so that more are likely */
	isProved({ offset }: PageRequest, { rows }: Page, step: Joined, isFollowed: boolean): boolean {
		const { joined, total } = this;
		if (isFollowed || joined.end !== offset + rows.length) return false;
		if (step === 'grew') return this.isAtTotal;
		// More rows are reported, so the end is checked once more.
		if (total === undefined || total <= joined.end || this.isRechecked) return true;
		this.isRechecked = true;
		return false;
	}

	/** Whether a page is the whole list again, because the service has no pages. */
	isWholeAgain({ offset }: PageRequest, { rows, appliedLimit = 0 }: Page): boolean {
		const { joined, total } = this;
		const isAgain = offset > 0 && appliedLimit < 1 && joined.identity.areSame(rows, joined.rows);
		return isAgain && (total === undefined ? this.isNoPage(rows) : total === rows.length);
	}

	/** Whether rows can't be a first page that is sent again: it would be full. */
	private isNoPage(rows: JsonObject[]): boolean {
		const hasIds = rows.every((row) => this.joined.identity.idOf(row) !== undefined);
		return hasIds && rows.length !== this.firstLimit && rows.length % 50 > 0;
	}

	/** Whether pages have had nothing new for so long that they never would. */
	isEndless({ rows }: Page, step: Joined): boolean {
		// Identical records connect to themselves: a service without pages would never end.
		const isUnchanged = step === 'unchanged' || this.joined.identity.areSame(rows, this.lastRows);
		this.unchangedPages = isUnchanged ? this.unchangedPages + 1 : 0;
		this.lastRows = rows;
		return this.unchangedPages > MAX_UNCHANGED_PAGES;
	}
}
