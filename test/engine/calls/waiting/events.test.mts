import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { driver, openDispatch, type Dispatch } from '../../support/calls/dispatch.mts';
import { resumeUrl, sendEvent } from '../../support/calls/waiting.mts';
import type { EngineRun } from '../../support/harness/index.mts';

let dispatch: Dispatch;
let run: EngineRun;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());

const byWebhook: INodeParameters = { waitForOutcome: 'webhook', waitLimit: 5, output: 'all' };
const placed = () => dispatch.sandbox.ledger.dialed().at(-1);
const messages = [
	{ role: 'agent', message: 'Where are you?', secondsFromStart: 1 },
	{ role: 'user', message: 'Near Gary.', secondsFromStart: 3 },
];
const extracted = { eta: '14:30' };
const outcome = {
	transcript: messages,
	extractedData: extracted,
	recordingUrl: 'https://r.test/7',
};
const shownOutcome = {
	...{ status: 'ended', extracted, recordingUrl: 'https://r.test/7' },
	transcript: 'agent: Where are you?\nuser: Near Gary.',
};
const shapeA = (event: string, more: object = {}) => ({
	...{ event, callId: placed()?.callId, createdAt: new Date().toISOString() },
	...{ inputData: placed()?.body, toPhone: placed()?.toPhone, callType: 'TRACK_AND_TRACE' },
	...more,
});
const shapes: Array<[string, (event: string, more: object) => unknown]> = [
	['of shape A', shapeA],
	['of the plain shape', (event, more) => ({ type: event, metadata: placed()?.metadata, ...more })],
	['nested', (event, more) => ({ data: { call: { event, ...more } } })],
	['in a list', (event, more) => [shapeA(event, more)]],
	['in a list with a name', (event, more) => ({ events: [shapeA(event, more)] })],
	['as the trigger passes it on', (event, more) => ({ event, payload: shapeA(event, more) })],
];

describe('a wait for the webhook event', () => {
	beforeAll(async () => {
		dispatch.reset();
		run = await dispatch.run(byWebhook, { items: [driver()] });
	});

	describe.each(shapes)('with events %s', (_shape, event) => {
		it.each([
			['an answered call', 'call.status', { status: 'ANSWERED' }],
			['a new call', 'call.created', { status: 'IN_PROGRESS' }],
			['a partial transcript', 'transcript', { transcript: messages }],
			['a tool call', 'tool_calls', { function: { name: 'check', arguments: '{}' } }],
			['a tool call that completed', 'tool_calls', { status: 'completed' }],
			['a ringing phone', 'call.ringing', {}],
			['an unknown word', 'call.filed', { status: 'FILED' }],
			['a bid', 'bid_created', { amount: 1850, notes: 'Wants more.' }],
		])('does not end on %s', async (_what, name, more) => {
			const { answer } = await sendEvent(dispatch, run, event(name, more));
			expect(answer).toMatchObject({ status: 409, started: false });
		});

		it.each<[string, string, IDataObject, IDataObject]>([
			['a failed call', 'call.failed', {}, { status: 'failed' }],
			['no answer', 'call.status', { status: 'NO_ANSWER' }, { status: 'NO_ANSWER' }],
			['voicemail', 'call.voicemail', { status: 'VOICEMAIL' }, { status: 'VOICEMAIL' }],
			['the end with its outcome', 'call_ended', outcome, shownOutcome],
			['a summary', 'call', { summary: 'On time.' }, { summary: 'On time.' }],
		])('ends on %s', async (_what, name, more, expected) => {
			const resumed = await sendEvent(dispatch, run, event(name, more));
			expect(resumed.run?.items).toEqual([
				expect.objectContaining({ callId: placed()?.callId, timedOut: false, ...expected }),
			]);
			expect(JSON.stringify(resumed.answer.workflowData)).not.toMatch(
				/webhook-waiting|n8nResumeUrl/,
			);
		});
	});

	it('ends on the final event in a list that begins with live events', async () => {
		const list = [shapeA('transcript', { transcript: messages }), shapeA('call_ended')];
		expect((await sendEvent(dispatch, run, list)).run?.status).toBe('success');
	});

	it('does not end on an event about another call', async () => {
		const other = shapeA('call_ended', { callId: Number(placed()?.callId) + 1 });
		expect((await sendEvent(dispatch, run, other)).answer.status).toBe(409);
		const url = resumeUrl(dispatch);
		url.searchParams.set('wait', 'another');
		expect((await sendEvent(dispatch, run, shapeA('call_ended'), url)).answer.status).toBe(409);
	});

	it('ends on an unknown event type if the call list shows the outcome', async () => {
		await dispatch.sandbox.finishCalls();
		const filed = await sendEvent(dispatch, run, shapeA('call.filed', { status: 'FILED' }));
		expect(filed.run?.items).toEqual([
			expect.objectContaining({
				...{ status: 'FILED', timedOut: false, summary: expect.any(String) },
				transcript: expect.any(String),
			}),
		]);
	});
});
