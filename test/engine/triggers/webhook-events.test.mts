import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { repositoryRoot, workflow as n8nWorkflow } from '../support/harness/n8n.mts';
import { event, open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);

describe('a body', () => {
	it('that is an array is one item for each of its events', async () => {
		const { workflowData } = await send(open, { body: [{ callId: 1 }, { callId: 2 }] });
		expect(workflowData?.[0]?.map(({ json }) => json.callId)).toEqual([1, 2]);
	});

	const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
	it.each([
		['nothing', ''],
		['a number', '42'],
		['text', '"x"'],
		['null', 'null'],
		['cut off', '{"a":'],
		['XML', '<a/>'],
		['a form', 'a=b'],
		['nested too deeply', deep],
	])('that is %s is rejected with 400, or with 422 by n8n', async (_what, rawBody) => {
		for (const type of ['application/json', 'text/plain', 'application/cloudevents']) {
			const { status, started } = await send(open, { rawBody, headers: { 'content-type': type } });
			const readByN8n = type === 'application/json' && ['{"a":', '<a/>', 'a=b'].includes(rawBody);
			expect({ status, started }).toEqual({ status: readByN8n ? 422 : 400, started: false });
		}
	});

	it('that is JSON is accepted with any content type', async () => {
		const rawBody = `\uFEFF${JSON.stringify(event)}`;
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/xml']) {
			const request = { rawBody, headers: { 'content-type': type } };
			expect(await send(open, request)).toMatchObject({ status: 200, started: true });
		}
	});

	it('that has a number with a million digits is accepted', async () => {
		const rawBody = `{"callId":1,"number":${'1'.repeat(1_000_000)}}`;
		expect(await send(open, { rawBody })).toMatchObject({ status: 200, started: true });
	});

	it('that is an empty list starts nothing', async () => {
		expect(await send(open, { body: [] })).toMatchObject({ status: 200, started: false });
	});
});

it('the sample event of the docs is accepted, and its load and call are known', async () => {
	const page = readFileSync(join(repositoryRoot, 'docs/webhook-trigger.md'), 'utf8');
	const [, rawBody = ''] = /-d '(\{[^']+\})'/.exec(page) ?? [];
	const { status, workflowData } = await send(open, { rawBody });
	expect(status).toBe(200);
	expect(workflowData?.[0]?.[0]?.json).toMatchObject({ callId: 100482, loadNumber: '48213' });
});

describe('a duplicate', () => {
	it('is acknowledged, and starts nothing', async () => {
		const node = { id: randomUUID() };
		const first = await send(open, { body: event, node });
		const again = await send(open, { body: event, node });
		expect([first, again]).toMatchObject([
			{ status: 200, started: true },
			{ status: 200, started: false, body: { duplicates: 1, started: 0 } },
		]);
	});

	it('is recognized from the static data', async () => {
		const { staticData } = await send(open, { body: event });
		const stored = { 'node:Node under test': staticData };
		expect(await send(open, { body: event, staticData: stored })).toMatchObject({
			started: false,
		});
	});

	it('is recognized by its ID, and starts the workflow if duplicates are not ignored', async () => {
		const node = { id: randomUUID() };
		const first = { ...event, id: 'e1', sentAt: 1 };
		const again = { ...event, id: 'e1', sentAt: 2 };
		const byId = { ...open, eventOptions: { eventIdField: 'id' } };
		expect(await send(byId, { body: first, node })).toMatchObject({ started: true });
		expect(await send(byId, { body: [again, event], node })).toMatchObject({
			body: { duplicates: 1, started: 1 },
		});
		const wanted = { ...open, eventOptions: { ignoreRepeats: false } };
		expect(await send(wanted, { body: first, node })).toMatchObject({ started: true });
	});

	it('is not an event whose ID differs in the 16th digit only, and the workflow gets all digits', async () => {
		const ids = ['9007199254740992', '9007199254740993'];
		for (const [eventIdField, name] of [
			['id', 'id'],
			['', 'callId'],
		] as const) {
			const node = { id: randomUUID() };
			for (const id of ids) {
				const rawBody = `{"event":"call_ended","${name}":${id},"metadata":"{\\"loadId\\":${id}}"}`;
				const parameters = { ...open, eventOptions: { eventIdField } };
				const answer = await send(parameters, { rawBody, node });
				expect(answer).toMatchObject({ status: 200, started: true });
				expect(answer.workflowData?.[0]?.[0]?.json).toMatchObject({
					payload: { [name]: id },
					metadata: { loadId: id },
				});
			}
		}
	});

	it('starts the workflow if n8n failed to store the first one', async () => {
		const node = { id: randomUUID() };
		const store = async () => await Promise.reject(new Error('The database is locked'));
		expect(await send(open, { body: event, node, store })).toMatchObject({ status: 500 });
		expect(await send(open, { body: event, node })).toMatchObject({ status: 200, started: true });
	});

	it('starts the workflow once if it arrives sixteen times at the same time', async () => {
		const node = { id: randomUUID() };
		const answers = await Promise.all(
			Array.from({ length: 16 }, () => send(open, { body: event, node })),
		);
		expect(answers.filter(({ started }) => started)).toHaveLength(1);
		expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
	});

	it('starts the workflow each time at the test URL', async () => {
		const node = { id: randomUUID() };
		for (let nth = 0; nth < 2; nth++) {
			const answer = await send(open, { body: event, node, mode: 'manual' });
			expect(answer).toMatchObject({ status: 200, started: true });
		}
	});
});

describe('a filter', () => {
	const filtered = async (parameters: object) =>
		await send({ ...open, ...parameters }, { body: event });

	it('starts the workflow with events of its types, and acknowledges all others', async () => {
		expect(await filtered({ kinds: 'call.failed, Call.Completed' })).toMatchObject({
			started: true,
		});
		expect(await filtered({ kinds: 'call.failed' })).toMatchObject({
			...{ status: 200, started: false, noWebhookResponse: false },
			body: { filtered: 1, started: 0 },
		});
	});

	it.each([
		{ eventOptions: "={{ ({ allowedIps: '203.0.113.7' }) }}" },
		{ eventOptions: "={{ '203.0.113.7' }}" },
	])('or option that cannot be applied lets no event pass: %j', async (parameters) => {
		expect(await filtered(parameters)).toMatchObject({ status: 500, started: false });
	});
});

describe('a request to the trigger', () => {
	const type = 'n8n-nodes-carrier-load-communications.carrierLoadCommunicationsTrigger';
	const description = () => {
		const { webhooks = [] } = engine.types.getByNameAndVersion(type).description;
		return webhooks;
	};

	it('makes n8n evaluate no expression, which would take 20 ms per request', () => {
		const { webhookDescriptionIsNativelyResolvable } = n8nWorkflow;
		// n8n 2.41 (webhook-helpers.js, `parseRequestBody`) evaluates one for a node of version 1.
		expect(engine.types.getByNameAndVersion(type).description.version).toBe(2);
		expect(description().map(webhookDescriptionIsNativelyResolvable)).toEqual([true]);
	});
});
