import type { CallRecord } from '../contract/call.mts';
import type { DialedCall } from '../types.mts';

/** A webhook event. Contract 6 shows no shape, so this one is the sandbox's own. */
export interface WebhookEvent {
	event: string;
	/** An event keeps its ID, however often it is delivered. */
	id: string;
	createdAt: string;
	data: Record<string, unknown>;
	/** Contract 6: the metadata of the call request. */
	metadata?: Record<string, string | number>;
}

/** What an event says about its call, whichever kind of call it is. */
function dataOf(call: DialedCall, status: string): Record<string, unknown> {
	const { callId, conversationId, toPhone, loadNumber, loadId, dotNumber } = call;
	const { agentId, metadata, dynamicVariables } = call;
	return {
		...{ callId, conversationId, status, toPhone, loadNumber, loadId, dotNumber, agentId },
		...{ metadata, dynamicVariables },
	};
}

const withMetadata = ({ metadata }: DialedCall) => (metadata === undefined ? {} : { metadata });

/** The event when a call is placed, if enabled. */
export const startedEvent = (call: DialedCall, createdAt: string): WebhookEvent => ({
	event: 'call.started',
	id: `evt_${call.callId}_started`,
	createdAt,
	data: dataOf(call, 'IN_PROGRESS'),
	...withMetadata(call),
});

/** What services send during a call: ringing, answered, tool calls, partial transcripts. */
export function liveEvents(call: DialedCall, createdAt: string): WebhookEvent[] {
	const during = { ...dataOf(call, 'IN_PROGRESS') };
	const live: Array<[type: string, data: Record<string, unknown>]> = [
		['call.ringing', {}],
		['call.answered', {}],
		['transcript', { transcript: 'Agent: Hi, this is the dispatch desk.' }],
		['tool_calls', { function: { name: 'getLoad', arguments: { load: call.loadNumber } } }],
		['transcript', { transcript: 'Agent: Hi, this is the dispatch desk.\nDriver: Hello.' }],
	];
	return live.map(([event, data], index) => ({
		event,
		id: `evt_${call.callId}_live_${index}`,
		createdAt,
		data: { ...during, ...data },
		...withMetadata(call),
	}));
}

/** The event when a call has its summary, transcript and recording. */
export function completedEvent(
	call: DialedCall,
	record: CallRecord,
	createdAt: string,
): WebhookEvent {
	const { summary, transcript, contentTags, recordingUrl } = record;
	return {
		event: 'call.completed',
		id: `evt_${call.callId}_completed`,
		createdAt,
		data: { ...dataOf(call, 'COMPLETED'), summary, transcript, contentTags, recordingUrl },
		...withMetadata(call),
	};
}

/** An event about a call that was never placed, for manual deliveries. */
export const sampleEvent = (serial: number, createdAt: string): WebhookEvent => ({
	event: 'call.completed',
	id: `evt_sample_${serial}`,
	createdAt,
	data: {
		callId: 90_000_000 + serial,
		conversationId: 190_000_000 + serial,
		status: 'COMPLETED',
		toPhone: '+18155550142',
		loadNumber: '48213',
		summary: 'Driver Sam Ellis is rolling on load 48213. ETA 14:30, on time. No issues reported.',
		transcript: 'Agent: Where are you right now?\nDriver: Just past Gary, on time.',
		contentTags: 'check_call,on_time',
		recordingUrl: null,
		metadata: { loadNumber: '48213' },
	},
	metadata: { loadNumber: '48213' },
});
