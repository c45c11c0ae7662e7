import type { ListQuery, PageQuery } from './listQuery';
import type { Pagination } from './pagination';

/** A call in the call list (contract 2.3). */
export interface ListedCall {
	id: number;
	fromPhone: string;
	callerName: string;
	callerExt: string;
	toPhone: string;
	createdAt: string;
	contentTags: string;
	summary: string;
	loadIds: string[];
	mcNumber: string;
	dotNumber: number;
	carrierHwConnectionStatus: string;
	carrierHwRulesAssessment: string;
	recordingUrl: string;
	transcript: string;
}

/** A call in the response to a call request (contract 2.4). */
export interface PlacedCall {
	id: number;
	fromPhone: string;
	toPhone: string;
	status: string;
	conversationId: number;
	createdAt: string;
	updatedAt: string;
}

export type CallPageQuery = ListQuery & PageQuery;

export interface CallPage {
	calls: ListedCall[];
	pagination: Pagination;
}

/** Key-value pairs that webhook events about the call contain (contract 2.8). */
export type Metadata = Record<string, string | number>;
