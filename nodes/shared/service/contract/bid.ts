import type { ListQuery, PageQuery } from './listQuery';
import type { Pagination } from './pagination';

/** A carrier's bid on a load (contract 2.5). It has no ID. */
export interface SalesBid {
	loadId: number;
	originLocation: string;
	destinationLocation: string;
	carrierMc: string;
	carrierDot: string;
	phoneNumber: string;
	extension: string;
	callerName: string;
	callSummary: string;
	callDateTime: string;
}

export type BidPageQuery = ListQuery & PageQuery;

export interface BidPage {
	salesBids: SalesBid[];
	pagination: Pagination;
}
