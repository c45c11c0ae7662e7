import type { ConversationRecord } from '../../contract/conversation.mts';
import { personName } from '../brokerage.mts';
import { type CallFacts, historyCall, type HistoryCall } from './call-facts.mts';
import { isoTime } from '../series/iso-time.mts';
import { streams } from '../random-streams.mts';
import type { History } from '../series/series.mts';

/** An email follows every eighth call. */
const CALLS_PER_EMAIL = 8;

/** The call that a conversation is, or that its email follows. */
export function callOfConversation(conversation: number): { call: number; email: boolean } {
	const block = Math.floor(conversation / (CALLS_PER_EMAIL + 1));
	const within = conversation % (CALLS_PER_EMAIL + 1);
	const email = within === CALLS_PER_EMAIL;
	return { call: block * CALLS_PER_EMAIL + (email ? within - 1 : within), email };
}

/** Number of conversations for a number of calls. */
export const conversationCount = (calls: number): number =>
	calls + Math.floor(calls / CALLS_PER_EMAIL);

function shared(facts: CallFacts, conversation: number, { carrier, loads }: HistoryCall) {
	return {
		id: facts.brokerage.firstConversationId + conversation,
		mcNumber: carrier.mcNumber,
		dotNumber: carrier.dotNumber,
		carrierHwConnectionStatus: carrier.connection,
		carrierHwRulesAssessment: carrier.ruleAssessment,
		loads: loads.map((load) => load.number).join(', '),
	};
}

function callRecord(
	facts: CallFacts,
	conversation: number,
	details: HistoryCall,
): ConversationRecord {
	const { carrier, inbound, amount } = details;
	return {
		...shared(facts, conversation, details),
		type: 'call',
		createdAt: isoTime(details.at),
		fromPhone: inbound ? carrier.phone : facts.brokerage.line,
		callerName: details.person,
		callerExt: inbound ? carrier.extension : '',
		callSummary: details.summary,
		callContentTags: details.tags,
		emailSubject: null,
		emailFrom: null,
		totalBids: amount === null ? 0 : 1,
		bidAmounts: amount === null ? '' : String(amount),
	};
}

function emailRecord(
	facts: CallFacts,
	conversation: number,
	details: HistoryCall,
	at: number,
): ConversationRecord {
	const [load] = details.loads;
	const person = personName(facts.brokerage.seed, conversation, streams.email);
	const mailbox = person.toLowerCase().replace(' ', '.');
	const domain = details.carrier.name.toLowerCase().replace(/[^a-z]/g, '');
	return {
		...shared(facts, conversation, details),
		// Contract 2.2: email conversations exist, but not how their `type` is called; `email` is the
		// sandbox's choice.
		type: 'email',
		createdAt: isoTime(at),
		fromPhone: null,
		callerName: null,
		callerExt: null,
		callSummary: null,
		callContentTags: null,
		emailSubject: load
			? `Load ${load.number}: ${load.origin.name} to ${load.destination.name}`
			: 'Trucks available this week',
		emailFrom: `${mailbox}@${domain}.example`,
		totalBids: 0,
		bidAmounts: '',
	};
}

/** The history's conversations (contract 2.2). */
export function conversationHistory(facts: CallFacts): History {
	const timeOf = (conversation: number): number => {
		const { call, email } = callOfConversation(conversation);
		return email ? facts.momentAfter(call) : facts.timeOf(call);
	};
	return {
		size: conversationCount(facts.brokerage.calls),
		timeOf,
		json: (conversation) => {
			const { call, email } = callOfConversation(conversation);
			const details = historyCall(facts, call);
			return JSON.stringify(
				email
					? emailRecord(facts, conversation, details, timeOf(conversation))
					: callRecord(facts, conversation, details),
			);
		},
	};
}
