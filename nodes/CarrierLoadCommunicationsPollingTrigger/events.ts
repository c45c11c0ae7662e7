import type { ListName } from '../shared/columns/records';
import type { JsonObject } from '../shared/service/http/json';

/** Whether a record starts the workflow now, later, or never. */
type Readiness = 'ready' | 'waiting' | 'never';

/** An event that the trigger can watch for. */
export interface PollEvent {
	name: string;
	description: string;
	/** For messages: "There are no … ". */
	records: string;
	/** The service's list that it reads (contract 4.2). */
	list: ListName;
	/** Only for events that depend on a call's progress. Other records are ready immediately. */
	readiness?: (row: JsonObject, ageMs: number, giveUpMs: number) => Readiness;
	/** Whether calls become ready when they are given up, so that an event is as late as that. */
	startsWhenGivenUp?: boolean;
}

/** All events, by their stored value, in the order of the form. */
export const EVENTS = {
	callEndedWithoutOutcome: {
		name: 'Call Ended Without Outcome',
		description: 'When a call still has no summary or transcript after the time set under Options',
		records: 'calls without an outcome',
		list: 'calls',
		readiness: (row, ageMs, giveUpMs) => {
			if (hasOutcome(row)) return 'never';
			return ageMs < giveUpMs ? 'waiting' : 'ready';
		},
		startsWhenGivenUp: true,
	},
	callOutcomeReady: {
		name: 'Call Outcome Ready',
		description: 'When a call has its summary or transcript',
		records: 'call outcomes',
		list: 'calls',
		readiness: (row, ageMs, giveUpMs) => {
			if (hasOutcome(row)) return 'ready';
			return ageMs < giveUpMs ? 'waiting' : 'never';
		},
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

export const EVENT_NAMES = Object.keys(EVENTS).filter(isEventName);

function isEventName(name: string): name is EventName {
	return Object.hasOwn(EVENTS, name);
}

/**
 * A call in progress is listed without summary and transcript (contract 2.3 and 2.9). A transcript may
 * be a list of messages.
 */
function hasOutcome({ summary, transcript }: JsonObject): boolean {
	const isText = (text: unknown) => typeof text === 'string' && text.trim() !== '';
	return [summary, transcript].some(isText) || (Array.isArray(transcript) && transcript.length > 0);
}
