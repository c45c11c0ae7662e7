import type { BidRecord } from '../contract/bid.mts';
import type { CallRecord } from '../contract/call.mts';
import type { ConversationRecord } from '../contract/conversation.mts';
import { bidHistory } from './calls/bids.mts';
import type { Brokerage } from './brokerage.mts';
import { type CallFacts, factsOf } from './calls/call-facts.mts';
import { callHistory } from './calls/calls.mts';
import { conversationHistory } from './calls/conversations.mts';
import { Series } from './series/series.mts';
import { openCarrierNetwork } from './freight/carrier-network.mts';

/** All records of one organization. */
export interface Archive {
	facts: CallFacts;
	calls: Series<CallRecord>;
	conversations: Series<ConversationRecord>;
	bids: Series<BidRecord>;
	/** IDs for a call after all others. */
	nextIds(): { callId: number; conversationId: number };
	/** Whether this organization has, or placed, a call with this ID. */
	hasCall(id: number): boolean;
}

/** An organization's records: its history, plus calls added later. */
export function openArchive(brokerage: Brokerage): Archive {
	const facts = factsOf(brokerage, openCarrierNetwork(brokerage));
	const conversations = conversationHistory(facts);
	let added = 0;
	return {
		facts,
		calls: new Series(callHistory(facts)),
		conversations: new Series(conversations),
		bids: new Series(bidHistory(facts)),
		nextIds() {
			const callId = brokerage.firstCallId + brokerage.calls + added;
			const conversationId = brokerage.firstConversationId + conversations.size + added;
			added += 1;
			return { callId, conversationId };
		},
		hasCall: (id) =>
			id >= brokerage.firstCallId && id < brokerage.firstCallId + brokerage.calls + added,
	};
}
