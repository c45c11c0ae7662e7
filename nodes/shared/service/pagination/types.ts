import type { JsonObject } from '../http/json';

/** How a list is read. */
export interface Paging {
	/** How many rows to return; undefined for all. */
	limit?: number | undefined;
	/** Rows per request, 1 to 500 (contract 8); independent of `limit`. */
	pageSize: number;
	/** Pages requested at the same time, 1 or more. */
	pagesInParallel: number;
	/** If a page can't be read: fail, or return the rows before it with a hint. */
	onPageFailure: 'error' | 'partial';
}

/** A list as it was read, in the service's order. */
export interface List {
	rows: JsonObject[];
	/** What the user must know about the list: that it may be incomplete, and why. */
	hint?: string | undefined;
}

export interface PageRequest {
	offset: number;
	limit: number;
}

export interface Page {
	/** In the service's order; what was not an object is an empty one, so that positions are kept. */
	rows: JsonObject[];
	/** How many rows there are in all, if the service gives a readable number. */
	total: number | undefined;
	/** The page size that the service says it applied (contract 2.1): it may clamp. */
	appliedLimit?: number | undefined;
}

/** What happens while a page is requested. */
export interface PageEvents {
	/** Called for every 429. */
	onThrottled?: (() => void) | undefined;
	/** Called when the answer is here and the service is free, before the answer is parsed. */
	onAnswered?: (() => void) | undefined;
}

export type ReadPage = (request: PageRequest, events: PageEvents) => Promise<Page>;

/** Whether rows have an `id`; those without (bids, contract 2.5) are compared by their content. */
export type Identity = 'id' | 'none';

/** A list to read. */
export interface ListSource {
	readPage: ReadPage;
	identity: Identity;
	/** Whether a row is not to be returned: the service doesn't say whether it counts it as in range. */
	isExtra?: ((row: JsonObject) => boolean) | undefined;
}
