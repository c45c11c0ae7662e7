import { isWanted } from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver.ts';
import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';

/** Whether an event starts a workflow with these event types. */
function starts(body: object, types: string[] = []) {
	const events = readEvents(body, '2026-03-02T12:00:00.000Z');
	const [event] = Array.isArray(events) ? events : [];
	return event && isWanted(event, types);
}

it('event types are compared without case', () => {
	const event = { event: ' Call.Completed ' };
	expect(starts(event, ['call.completed'])).toBe(true);
	expect(starts(event, ['call.failed'])).toBe(false);
	expect(starts({ callId: 7 }, ['call.failed'])).toBe(false);
});

describe('events during a call', () => {
	it.each([
		[{ event: 'tool_calls', function: { name: 'getLoad' } }],
		[{ event: 'transcript', formattedTranscript: 'Agent: Hi' }],
		[{ event: 'call.ringing' }],
		[{ event: 'call_answered' }],
		[{ type: 'status-update', status: 'IN_PROGRESS' }],
		[{ event: 'call.created' }],
	])('start the workflow only if their type is listed: %j', (body: Record<string, unknown>) => {
		expect(starts(body)).toBe(false);
		expect(starts(body, [String(body.event ?? body.type)])).toBe(true);
	});

	it.each([
		[{ event: 'call_ended' }],
		[{ event: 'bid_created' }],
		[{ event: 'something.new' }],
		[{ event: 'status-update', status: 'no_answer' }],
		[{ callId: 7 }],
	])('are not confused with others: %j starts the workflow', (body) => {
		expect(starts(body)).toBe(true);
	});
});
