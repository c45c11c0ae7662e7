import {
	readOutcome,
	callStage,
	endStatus,
	hasEnded,
} from '../../../nodes/shared/outcome/callOutcome.ts';
import { eventParts, reportParts } from '../../../nodes/shared/events/event.ts';
import { withoutResumeUrl } from '../../../nodes/shared/events/resumeUrl.ts';

const ofShapeA = (more: object) => ({
	...{ callId: 7, createdAt: '2026-11-21T15:00:00Z', callType: 'TRACK_AND_TRACE' },
	inputData: { loadNumber: '48213', metadata: { shipment: 'SH-1' } },
	...more,
});
const messages = [
	{ role: 'agent', message: 'Where are you?', secondsFromStart: 1 },
	{ role: 'user', message: 'Near Gary.', secondsFromStart: 3 },
];

describe('the stage of a call according to an event', () => {
	it.each([
		['the end of shape A', ofShapeA({ event: 'call_ended', transcript: messages })],
		['an end without any outcome', { event: 'call_ended', callId: 7 }],
		['a failed call', { event: 'call.failed' }],
		['an end word in the type alone', { type: 'check_call.completed' }],
		['a report after the call', { message: { type: 'end-of-call-report' } }],
		['a status update with an end word', { type: 'status-update', data: { status: 'ended' } }],
		['no answer', { status: 'NO_ANSWER' }],
		['no answer in camel case', { data: { call: { status: 'noAnswer' } } }],
		['busy', { callStatus: 'busy' }],
		['canceled', { call_status: 'CANCELLED' }],
		['voicemail', { event: 'call.voicemail' }],
		['a hang-up', { event: 'hang_up' }],
		['a call that failed as it started', { event: 'call.started', data: { status: 'FAILED' } }],
		['a summary without any word', { callId: 7, data: { summary: 'On time.' } }],
		['a recording and an unknown status', { status: 'FILED', recordingUrl: 'https://r.test/7' }],
		['extracted data', { data: { extractedData: { eta: '14:30' } } }],
		['a summary beside a stale status', { status: 'IN_PROGRESS', summary: 'On time.' }],
		['messages of another type inside', { event: 'call_ended', data: { type: 'transcript' } }],
		['an event with its envelope', { payload: { events: [{ event: 'call_ended' }] } }],
	])('%s: ended', (_what, event) => {
		expect(callStage(event)).toBe('ended');
	});

	it.each([
		['answered', { status: 'ANSWERED' }],
		['created', { event: 'call.created' }],
		['created, with the place of its recording', { event: 'call.created', recordingUrl: 'x' }],
		['ringing', { data: { status: 'ringing' } }],
		['in progress', { event: 'call', call: { status: 'IN_PROGRESS' } }],
		['a tool call', ofShapeA({ event: 'tool_calls', function: { name: 'check' } })],
		['a tool call that completed', { event: 'tool_calls', status: 'completed', summary: 'Done' }],
		['a tool call with an end inside', { type: 'tool_calls', data: { type: 'call_ended' } }],
		['a tool call that reads like an end', { event: 'tool_call.completed' }],
		['a partial transcript', ofShapeA({ event: 'transcript', transcript: messages })],
		['a partial transcript of the call', { event: 'call.transcript.partial' }],
		['an update that says nothing', { event: 'call.updated', data: { status: 'RECALCULATED' } }],
		['an update with a partial transcript', { event: 'call.updated', transcript: 'Agent: Hello' }],
	])('%s: live', (_what, event) => {
		expect(callStage(event)).toBe('live');
	});

	it.each([
		['an unknown word', { status: 'MACHINE_DETECTION_RUN' }],
		['a transfer that completed', { event: 'call.transfer.completed' }],
		['a transcript alone', { callId: 7, transcript: 'Agent: Hello' }],
		['a transcript that is ready', { event: 'transcript.completed', transcript: 'Agent: Hello' }],
		['the word for success of an envelope', { status: 'success', data: { callId: 7 } }],
		['empty fields', { summary: '', recordingUrl: null, extractedData: {}, transcript: [] }],
		['an end word that the request contained', { inputData: { status: 'completed' } }],
		['a summary in the tool input', { input: { summary: 'x', status: 'ended' } }],
		['several events at once', [{ event: 'call_ended' }, { event: 'call_ended' }]],
		['no object', 'call_ended'],
		['nothing', null],
		['keys of prototypes', JSON.parse('{"__proto__":{"status":"ended"},"constructor":1}')],
		[
			'nesting deeper than four',
			{ data: { data: { data: { data: { data: { status: 'ended' } } } } } },
		],
		['a very long word', { status: 'ended'.repeat(1000) }],
	])('%s: unknown', (_what, event) => {
		expect(callStage(event)).toBe('unknown');
	});

	it("a bid event is not about the call's progress, even with a summary", () => {
		expect(callStage({ event: 'bid_created', amount: 1850, callSummary: 'Wants it.' })).toBe(
			'other',
		);
	});

	it.each([
		[{ event: 'call.failed' }, 'failed'],
		[{ event: 'call_ended', data: { status: 'NO_ANSWER' } }, 'NO_ANSWER'],
		[{ event: 'call.no_answer', status: 'IN_PROGRESS' }, 'no_answer'],
		[{ status: 'success', data: { status: 'COMPLETED' } }, 'COMPLETED'],
		[{ status: 'FILED', summary: 'On time.' }, 'FILED'],
		[{ status: 'IN_PROGRESS', summary: 'On time.' }, undefined],
	])('%j ends with status %s', (event, status) => {
		expect(endStatus(event)).toBe(status);
	});

	it.each([
		[{ summary: 'On time.' }, true],
		[{ recordingUrl: 'https://r.test/7' }, true],
		[{ transcript: 'Agent: Hello' }, true],
		[{ transcript: 'Agent: Hello', status: 'IN_PROGRESS' }, false],
		[{ status: 'NO_ANSWER' }, true],
		[{ contentTags: 'check_call,voicemail' }, true],
		[{ contentTags: 'check_call,completed_paperwork' }, false],
		[{ id: 7, status: null, summary: null, contentTags: null }, false],
		[{ status: 'RECALCULATED' }, false],
	])('a listed call %j has ended: %s', (call, ended) => {
		expect(hasEnded(call)).toBe(ended);
	});
});

describe('what an event says about the outcome', () => {
	it('the transcript is text, also if it was sent as a list', () => {
		const text = 'agent: Where are you?\nuser: Near Gary.';
		expect(readOutcome({ transcript: messages }).transcript).toBe(text);
		expect(readOutcome({ data: { transcript: text } }).transcript).toBe(text);
		const both = { transcript: messages, formattedTranscript: 'AI: Where are you?' };
		expect(readOutcome(both).transcript).toBe('AI: Where are you?');
	});

	it('finds nested fields, and leaves out empty ones', () => {
		expect(
			readOutcome({
				summary: '',
				data: { extractedData: { eta: '14:30' }, recordingUrl: 'https://r.test/7' },
				call: { contentTags: ['on_time'], summary: 'On time.' },
			}),
		).toEqual({
			...{ summary: 'On time.', contentTags: ['on_time'] },
			...{ extracted: { eta: '14:30' }, recordingUrl: 'https://r.test/7' },
		});
	});
});

describe('the parts of an event', () => {
	it('are found up to four levels deep, in a list of one, and in an echoed request', () => {
		const metadata = { shipment: 'SH-1' };
		const event = { data: [{ call: { payload: { request: { metadata } } } }] };
		expect(eventParts(event).at(-1)).toEqual({ metadata });
		expect(reportParts(event).at(-1)).toEqual({ request: { metadata } });
	});

	it('are limited in number, also if every part has seven more', () => {
		const nested = (depth: number): object => {
			const part = depth > 0 ? nested(depth - 1) : {};
			return Object.fromEntries(
				['data', 'call', 'payload', 'event', 'message', 'input', 'request'].map((k) => [k, part]),
			);
		};
		expect(eventParts(nested(20)).length).toBeLessThan(10_000);
	});
});

describe('the resume URL', () => {
	const url = `https://n8n.test/webhook-waiting/12?signature=abc&wait=${'0a'.repeat(16)}`;

	it('is removed wherever metadata may be echoed', () => {
		const metadata = { shipment: 'SH-1', n8nResumeUrl: url };
		const event = {
			...{ metadata, list: [{ metadata }], asText: JSON.stringify(metadata) },
			escaped: JSON.stringify(metadata).replaceAll('/', '\\/').replaceAll('=', '\\u003d'),
			renamed: JSON.stringify({ n8n_resume_url: url }).replaceAll('=', '\\u003d'),
			...{ encoded: encodeURIComponent(url), link: 'https://r.test/7?wait=1', at: null, n: 3 },
		};
		const shown = withoutResumeUrl(event);
		expect(JSON.stringify(shown)).not.toMatch(/webhook-waiting|signature|0a0a/);
		expect(shown).toMatchObject({
			...{ metadata: { shipment: 'SH-1' }, list: [{ metadata: { shipment: 'SH-1' } }] },
			...{ link: 'https://r.test/7?wait=1', at: null, n: 3 },
		});
		expect(event.metadata.n8nResumeUrl).toBe(url);
	});

	it('is searched for in linear time', () => {
		const text = 'http:'.repeat(1_000_000) + `wait=${'0a'.repeat(16)}`;
		const start = performance.now();
		withoutResumeUrl(text);
		expect(performance.now() - start).toBeLessThan(60_000);
	});
});
