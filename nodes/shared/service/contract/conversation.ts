import type { ListQuery, PageQuery } from './listQuery';
import type { Pagination } from './pagination';

/** A conversation by phone or email (contract 2.2). */
export interface Conversation {
	id: number;
	type: string;
	createdAt: string;
	mcNumber: string;
	dotNumber: number;
	carrierHwConnectionStatus: string;
	carrierHwRulesAssessment: string;
	fromPhone: string;
	callerName: string;
	callerExt: string;
	callSummary: string;
	callContentTags: string;
	emailSubject: string;
	emailFrom: string;
	loads: string;
	totalBids: number;
	bidAmounts: string;
}

/**
 * Filters of the conversations list (contract 4.2): the common ones, and the pickup and delivery
 * address.
 */
export interface ConversationQuery extends ListQuery {
	origin?: string | undefined;
	destination?: string | undefined;
}

export type ConversationPageQuery = ConversationQuery & PageQuery;

export interface ConversationPage {
	conversations: Conversation[];
	pagination: Pagination;
}
