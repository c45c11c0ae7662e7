import type { JsonObject } from '../http/json';
import type { ReadEvents } from '../http/requests';

/** How to read a list. */
export interface Paging {
	/** How many rows to return; undefined for all. */
	limit?: number | undefined;
	/** Rows per request, 1 to 500 (contract 8); independent of `limit`. */
	pageSize: number;
	/** Pages requested in parallel, at least 1. */
	pagesInParallel: number;
	/** If a page can't be read: fail, or return the rows before it with a hint. */
	onPageFailure: 'error' | 'partial';
}

/** A list in the service's order. */
export interface List {
	rows: JsonObject[];
	/** A hint that it may be incomplete, and why. */
	hint?: string | undefined;
}

export interface PageRequest {
	offset: number;
	limit: number;
}

export interface Page {
	/**
	 * In the service's order. Anything that is not an object becomes an empty one, so that positions
	 * are kept.
	 */
	rows: JsonObject[];
	/** The number of all rows, if the service reports a readable number. */
	total: number | undefined;
	/** The page size that the service reports (contract 2.1): it may reduce it. */
	appliedLimit?: number | undefined;
}

export type ReadPage = (request: PageRequest, events: ReadEvents) => Promise<Page>;

/** Whether rows have an `id`. Those without (bids, contract 2.5) are compared by content. */
export type Identity = 'id' | 'none';

/** How to read pages. */
export interface ReadSettings {
	pageSize: number;
	pagesInParallel: number;
	identity: Identity;
	/** Called with each page; returns true to stop. Then no page is requested ahead. */
	onPage?: ((rows: JsonObject[]) => boolean) | undefined;
}

/** A list to read. */
export interface ListSource {
	readPage: ReadPage;
	identity: Identity;
	/**
	 * Whether to leave out a row, because it is unknown whether the service includes it in the range.
	 */
	isExtra?: ((row: JsonObject) => boolean) | undefined;
}
