// Checked by the compiler, never run: the published types must equal the schemas' types. They exist
// twice because zod can't be published; any difference is a compile error.
import type * as shippedAgentCall from '../../nodes/shared/service/contract/agentCall.ts';
import type * as shippedAnalytics from '../../nodes/shared/service/contract/analytics.ts';
import type * as shippedBid from '../../nodes/shared/service/contract/bid.ts';
import type * as shippedCall from '../../nodes/shared/service/contract/call.ts';
import type * as shippedCarrier from '../../nodes/shared/service/contract/carrier.ts';
import type * as shippedSalesCall from '../../nodes/shared/service/contract/carrierSalesCall.ts';
import type * as shippedCheckCall from '../../nodes/shared/service/contract/checkCall.ts';
import type * as shippedConversation from '../../nodes/shared/service/contract/conversation.ts';
import type * as shippedListQuery from '../../nodes/shared/service/contract/listQuery.ts';
import type * as shippedPagination from '../../nodes/shared/service/contract/pagination.ts';
import type * as agentCall from './placing/agentCall.mts';
import type * as analytics from './analytics.mts';
import type * as bid from './bid.mts';
import type * as call from './call.mts';
import type * as carrier from './carrier.mts';
import type * as salesCall from './placing/carrierSalesCall.mts';
import type * as checkCall from './placing/checkCall.mts';
import type * as conversation from './conversation.mts';
import type * as listQuery from './listQuery.mts';
import type * as pagination from './pagination.mts';
import type { Metadata } from './values.mts';

/** Flattens intersections and `extends`, so that equal types compare as equal. */
type Plain<T> = T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;

type Same<A, B> =
	(<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

/** Compiles only if each pair is the same type. */
type AllSame<Pairs extends Record<string, true>> = Pairs;

export type ShippedTypesAreTheContract = AllSame<{
	listQuery: Same<shippedListQuery.ListQuery, listQuery.ListQuery>;
	pageQuery: Same<shippedListQuery.PageQuery, listQuery.PageQuery>;
	pagination: Same<shippedPagination.Pagination, pagination.Pagination>;
	totalOnly: Same<shippedPagination.TotalOnly, pagination.TotalOnly>;

	conversation: Same<shippedConversation.Conversation, conversation.Conversation>;
	conversationQuery: Same<shippedConversation.ConversationQuery, conversation.ConversationQuery>;
	conversationPageQuery: Same<
		shippedConversation.ConversationPageQuery,
		conversation.ConversationPageQuery
	>;
	conversationPage: Same<shippedConversation.ConversationPage, conversation.ConversationPage>;

	listedCall: Same<shippedCall.ListedCall, call.ListedCall>;
	placedCall: Same<shippedCall.PlacedCall, call.PlacedCall>;
	callPageQuery: Same<shippedCall.CallPageQuery, call.CallPageQuery>;
	callPage: Same<shippedCall.CallPage, call.CallPage>;
	metadata: Same<shippedCall.Metadata, Metadata>;

	salesBid: Same<shippedBid.SalesBid, bid.SalesBid>;
	bidPageQuery: Same<shippedBid.BidPageQuery, bid.BidPageQuery>;
	bidPage: Same<shippedBid.BidPage, bid.BidPage>;

	lane: Same<shippedCarrier.Lane, carrier.Lane>;
	carrier: Same<shippedCarrier.Carrier, carrier.Carrier>;
	carrierQuery: Same<shippedCarrier.CarrierQuery, carrier.CarrierQuery>;
	carrierPage: Same<shippedCarrier.CarrierPage, carrier.CarrierPage>;

	analyticsMetric: Same<shippedAnalytics.AnalyticsMetric, analytics.AnalyticsMetric>;
	analyticsMetrics: Same<shippedAnalytics.AnalyticsMetrics, analytics.AnalyticsMetrics>;
	analyticsEntry: Same<shippedAnalytics.AnalyticsEntry, analytics.AnalyticsEntry>;
	analyticsQuery: Same<shippedAnalytics.AnalyticsQuery, analytics.AnalyticsQuery>;
	analyticsPage: Same<shippedAnalytics.AnalyticsPage, analytics.AnalyticsPage>;

	contactType: Same<shippedCheckCall.ContactType, checkCall.ContactType>;
	checkCallRequest: Same<shippedCheckCall.CheckCallRequest, checkCall.CheckCallRequest>;
	checkCallResponse: Same<shippedCheckCall.CheckCallResponse, checkCall.CheckCallResponse>;

	salesCallRequest: Same<
		shippedSalesCall.CarrierSalesCallRequest,
		salesCall.CarrierSalesCallRequest
	>;
	salesCallResponse: Same<
		shippedSalesCall.CarrierSalesCallResponse,
		salesCall.CarrierSalesCallResponse
	>;

	agentCallRequest: Same<shippedAgentCall.AgentCallRequest, agentCall.AgentCallRequest>;
	agentCallResponse: Same<shippedAgentCall.AgentCallResponse, agentCall.AgentCallResponse>;
}>;
