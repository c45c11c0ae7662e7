import { startEngine, type Engine } from '../support/harness/index.mts';
import { addressOf, receiver } from '../support/triggers/webhook-receiver.mts';
import { open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());
const send = senderTo(() => engine);

const ended = { event: 'call_ended', callId: 7 };

describe("an event with metadata of its own beside the call's", () => {
	const metadata = { team: 'north', n8nResumeUrl: '' };
	const own = { attempt: 1 };
	const shapes = {
		'in the request': { metadata: own, inputData: { metadata } },
		'in the data': { metadata: own, data: { metadata } },
		'around it': { event: { ...ended, metadata: own, request: { metadata } } },
	};

	it.each(Object.entries(shapes))('%s resumes the execution that waits', async (_where, shape) => {
		const n8n = await receiver(async () => 200);
		const n8nUrl = addressOf(n8n);
		metadata.n8nResumeUrl = `${n8nUrl}/webhook-waiting/231?wait=1`;
		const { body } = await send(open, { body: { ...ended, ...shape }, n8nUrl });
		n8n.close();
		expect(body).toMatchObject({ resumed: 1, started: 0 });
	});

	it("is returned without it, or from the user's path", async () => {
		const { 'in the request': body, 'in the data': unclear } = shapes;
		const { workflowData } = await send(open, { body: { ...ended, ...body } });
		expect(workflowData?.[0]?.[0]?.json.metadata).toEqual({ team: 'north' });
		const path = { eventOptions: { metadataField: 'data.metadata' } };
		const named = await send({ ...open, ...path }, { body: { ...ended, ...unclear } });
		expect(named.workflowData?.[0]?.[0]?.json.metadata).toEqual({ team: 'north' });
	});
});

describe('an event of an unknown type', () => {
	it.each(['active', 'pending', 'created', 'scheduled'])(
		'starts the workflow, although its status (%s) could be that of a call',
		async (status) => {
			const body = { event: 'load_tendered', loadId: '48213', status };
			expect((await send(open, { body })).started).toBe(true);
		},
	);

	it.each([
		{ event: 'track_and_trace', callId: 7, status: 'in_progress' },
		{ type: 'notification', data: { call: { id: 7, status: 'ringing' } } },
		{ event: 'call_changed', status: 'active' },
	])('does not start it during a call: %j', async (body) => {
		expect((await send(open, { body })).started).toBe(false);
	});
});

describe('a report with its own list', () => {
	const timeline = [{ type: 'ringing' }, { type: 'answered' }];

	it.each([
		{ call: { id: 7, summary: 'On time.' }, events: timeline },
		{ summary: 'On time.', items: timeline },
		{ conversation: { id: 7 }, results: timeline },
		{ inputData: { toPhone: '+13125550188' }, data: timeline },
	])('is one event: %j', async (body) => {
		expect(await send(open, { body })).toMatchObject({ started: true, body: { received: 1 } });
	});
});

describe('metadata of an envelope', () => {
	const metadata = { loadNumber: '48213' };

	it.each([
		['as text', { metadata: JSON.stringify(metadata), events: [ended] }],
		['in the request', { inputData: { metadata }, events: [ended] }],
		['inside', { data: { metadata, events: [ended] } }],
	])('is that of its only event: %s', async (_where, body) => {
		const sent = await send(open, { body });
		expect(sent.workflowData?.[0]?.[0]?.json).toMatchObject({ callId: 7, metadata });
	});
});

describe('a request without any event', () => {
	it.each([[[]], [{ events: [] }]])('starts nothing: %j', async (body) => {
		const { started, body: answer } = await send(open, { body });
		expect([started, answer]).toEqual([false, expect.objectContaining({ received: 0 })]);
	});

	it.each([
		{ items: [], reference: 5 },
		{ event: 'call_ended', events: [] },
		{ call: { id: 7, summary: 'On time.' }, events: [] },
		{ events: [], data: [{ callId: 7 }] },
		{ data: [] },
	])('is one event if it could be: %j', async (body) => {
		expect(await send(open, { body })).toMatchObject({ started: true, body: { received: 1 } });
	});
});
