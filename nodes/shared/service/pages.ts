import type { TimeRange } from './contract';
import type { JsonObject } from './json';

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

export interface ListRequest {
	range: TimeRange;
	/** @param onThrottled called for every 429 */
	readPage: (range: TimeRange, request: PageRequest, onThrottled: () => void) => Promise<Page>;
	/** Whether rows have an `id`. Those without (bids, contract 2.5) are compared by content. */
	hasIds: boolean;
	limit?: number | undefined;
	/** Shows each row, some of them twice; returns true when no more are needed. */
	visit?: ((row: JsonObject) => boolean) | undefined;
}

export interface Page {
	/** In the service's order. Anything that is not an object becomes an empty one. */
	rows: JsonObject[];
	/** The number of all rows, if the service reports a readable number. */
	total: number | undefined;
	/** The page size that the service reports (contract 2.1): it may reduce it. */
	appliedLimit?: number | undefined;
	/** What time it was for the service (Unix milliseconds), if it says so. */
	servedAt?: number | undefined;
	/** How long the response was, in characters. */
	length?: number;
}
