/** What the lists of conversations, calls, bids and analytics say about themselves (contract 2.1). */
export interface Pagination {
	limit: number;
	offset: number;
	total: number;
}

/** The carriers list reports only a total (contract 2.1). */
export interface TotalOnly {
	total: number;
}
