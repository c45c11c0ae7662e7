/** Filters that conversations, calls and bids share (contract 4.1). Times are ISO 8601. */
export interface ListQuery {
	startTime: string;
	endTime: string;
	loadId?: string | undefined;
	mcNumber?: string | undefined;
}

/** A page (contract 4.1, 8): offset from 0, limit 1 to 500. */
export interface PageQuery {
	offset?: number | undefined;
	limit?: number | undefined;
}
