import type { Page, PageRequest } from '../types';

/** A page must have room for the rows it repeats and at least one new row. */
const MIN_PAGE_SIZE = 3;

/**
 * How many rows the service returns at a time, judging by its pages: it may reduce the limit
 * (contract 8).
 */
export class PageSizes {
	/** Rows to request at a time. */
	readonly requested: number;

	/** Rows of the longest page. */
	largest = 0;

	private isClamped = false;

	constructor(pageSize: number) {
		this.requested = Math.max(MIN_PAGE_SIZE, pageSize);
	}

	note({ limit }: PageRequest, { rows }: Page): void {
		this.largest = Math.max(this.largest, rows.length);
		this.isClamped ||= rows.length < limit;
	}

	/** Whether pages can repeat this many rows and still have new ones. */
	haveRoomFor(overlap: number): boolean {
		return (this.isClamped ? this.largest : this.requested) > overlap;
	}

	/** Whether a page has as many rows as the service returns at a time, so that more may follow. */
	isFull({ offset, limit }: PageRequest, { rows, appliedLimit = 0 }: Page): boolean {
		const size = rows.length;
		if (size === 0) return false;
		if (appliedLimit < 1) return size >= Math.min(limit, this.largest);
		// A service that clamps without saying so does it at a round number.
		const isRound = offset === 0 && size % 50 === 0;
		return isRound || size >= Math.min(limit, appliedLimit);
	}
}

/** Whether a page is empty although the service would return more than `least` rows at a time. */
export function isEmptyByChoice({ rows, appliedLimit }: Page, least: number): boolean {
	return rows.length === 0 && !(appliedLimit !== undefined && appliedLimit <= least);
}
