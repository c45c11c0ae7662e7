import type { JsonObject } from '../http/json';

/** How a list is to be read. */
export interface Paging {
	/** How many rows are wanted; undefined for all. */
	limit?: number | undefined;
	/** Rows per request, 1 to 500 (contract 8); has nothing to do with `limit`. */
	pageSize: number;
	/** Pages asked for at the same time, 1 or more. */
	pagesInParallel: number;
	/** When a page cannot be read: fail, or return the rows before it with a hint. */
	onPageFailure: 'error' | 'partial';
}

/** A list as it was read, in the service's order. */
export interface List {
	rows: JsonObject[];
	/** What the user must know about the list: that it may not be complete, and why. */
	hint?: string | undefined;
}

export interface PageAsked {
	offset: number;
	limit: number;
}

export interface Page {
	rows: JsonObject[];
	/** How many rows there are in all, when the service says so in a way that can be read. */
	total: number | undefined;
}

/** What whoever asks for a page wants to know on the way. */
export interface PageEvents {
	/** Told of every 429. */
	onThrottled?: (() => void) | undefined;
	/** Told when the answer is there and the service is free, before the answer is looked into. */
	onAnswered?: (() => void) | undefined;
}

export type ReadPage = (asked: PageAsked, events: PageEvents) => Promise<Page>;

/** Whether a list's rows have an `id` by which a repeated row can be told (bids have none). */
export type Identity = 'id' | 'none';
