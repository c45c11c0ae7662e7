import type { WebhookEvent } from './event.mts';

/** Contract 6 shows no shape: these are the likely ones, see docs/sandbox.md. */
export const EVENT_SHAPES = ['a', 'plain', 'nested', 'list'] as const;
export type EventShape = (typeof EVENT_SHAPES)[number];

/** The event types of shape `a`; it has no others. */
const TYPES_OF_A: Record<string, string> = {
	'call.completed': 'call_ended',
	tool_calls: 'tool_calls',
	transcript: 'transcript',
};

/** The body of an event in this shape; undefined if the shape has no such event. */
export function writeEvent(event: WebhookEvent, shape: EventShape): object | undefined {
	const { data, ...envelope } = event;
	if (shape === 'plain') return { ...envelope, ...data };
	if (shape === 'list') return { events: [event] };
	return shape === 'a' ? writeShapeA(event) : event;
}

function writeShapeA({ event, createdAt, data, metadata }: WebhookEvent): object | undefined {
	const type = TYPES_OF_A[event];
	if (type === undefined) return undefined;
	const { callId, transcript, toPhone, fromPhone, recordingUrl, loadNumber, loadId } = data;
	const said = {
		formattedTranscript: transcript,
		transcript: messagesOf(String(transcript ?? '')),
	};
	if (type === 'tool_calls') return { event: type, callId, createdAt, function: data['function'] };
	if (type === 'transcript') return { event: type, callId, createdAt, ...said };
	const extractedData = { reached: true, tags: data['contentTags'] };
	const inputData = { toPhone, loadNumber, loadId, metadata };
	const callType = callTypeOf(data);
	return {
		...{ event: type, callId, createdAt, recordingUrl, ...said, extractedData, inputData },
		...{ toPhone, fromPhone, callType },
	};
}

function callTypeOf({ agentId, loadNumber }: Record<string, unknown>): string {
	if (agentId !== undefined) return 'CUSTOM_USE_CASE';
	return loadNumber === undefined ? 'CARRIER_SALES' : 'TRACK_AND_TRACE';
}

/** `Agent: …` lines as messages, 5 seconds each. */
function messagesOf(transcript: string): object[] {
	return transcript.split('\n').map((line, index) => {
		const [, role = 'agent', message = line] = /^(\w+): (.*)$/.exec(line) ?? [];
		const secondsFromStart = index * 5;
		return { role: role.toLowerCase(), message, secondsFromStart, duration: 5 };
	});
}
