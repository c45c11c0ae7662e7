/** Pagination of conversations, calls, bids and analytics (contract 2.1). */
export interface Pagination {
	limit: number;
	offset: number;
	total: number;
}

/** Pagination of carriers (contract 2.1). */
export interface TotalOnly {
	total: number;
}
