import type { ListName } from '../shared/columns/records';
import { hasEnded, hasValue } from '../shared/outcome/callOutcome';
import type { JsonObject } from '../shared/service/json';

export interface PollEvent {
	name: string;
	description: string;
	/** For messages: "There are no … ". */
	records: string;
	/** The service's list that it reads (contract 4.2). */
	list: ListName;
	/** Whether calls must have their outcome, or must still have none when the time is up. */
	outcome?: 'ready' | 'missing';
}

export const EVENTS = {
	callEndedWithoutOutcome: {
		name: 'Call Ended Without Outcome',
		description: 'When a call still has no summary or transcript after the time set under Options',
		records: 'calls without an outcome',
		list: 'calls',
		outcome: 'missing',
	},
	callOutcomeReady: {
		name: 'Call Outcome Ready',
		description: 'When the summary or transcript of a call is complete',
		records: 'call outcomes',
		list: 'calls',
		outcome: 'ready',
	},
	newBid: {
		name: 'New Bid',
		description: 'When a carrier bids on a load',
		records: 'new bids',
		list: 'bids',
	},
	newCall: {
		name: 'New Call',
		description: 'When there is a new phone call',
		records: 'new calls',
		list: 'calls',
	},
	newConversation: {
		name: 'New Conversation',
		description: 'When there is a new phone call or email',
		records: 'new conversations',
		list: 'conversations',
	},
} as const satisfies Record<string, PollEvent>;

export type EventName = keyof typeof EVENTS;

/** A call in progress is listed without summary and transcript (contract 2.3, 2.9), or with such a status. */
export function hasOutcome(call: JsonObject): boolean {
	return hasEnded(call) && (hasValue(call.summary) || hasValue(call.transcript));
}
