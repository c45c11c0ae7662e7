import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INode } from 'n8n-workflow';
import { startSandbox } from '../../../sandbox/index.mts';
import { startEngine, type Engine, type WebhookRequest } from '../harness/index.mts';
import { workflow as n8nWorkflow } from '../harness/n8n.mts';

const SECRET = 'agreed-with-the-operator';
const credentials = { carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret: SECRET } };
const open = { authentication: 'none' };
const event = { event: 'call.completed', callId: 7, metadata: { loadNumber: '48213' } };

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

/** A request to a trigger that has no history, unless `node.id` names one that has. */
async function send(parameters: object, request: WebhookRequest & Record<string, unknown> = {}) {
	return await engine.webhook(parameters as never, { node: { id: randomUUID() }, ...request });
}

function signed(body: string, secret = SECRET, time = Math.floor(Date.now() / 1000)) {
	const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
	const headers = {
		...{ 'content-type': 'application/json', 'x-timestamp': String(time) },
		'x-signature': `sha256=${signature}`,
	};
	return { rawBody: body, headers, credentials };
}

describe('a signed event', () => {
	it('starts the workflow with one item', async () => {
		const rawBody = '{ "event" : "call.completed", "data":{"callId":7}, "metadata": {"a":1} }';
		const { status, body, workflowData, logs } = await send({}, signed(rawBody));
		expect(status).toBe(200);
		expect(body).toMatchObject({ message: 'Received', started: 1 });
		expect(workflowData).toEqual([
			[
				{
					json: {
						...{ event: 'call.completed', callId: 7, metadata: { a: 1 } },
						receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
						payload: JSON.parse(rawBody),
					},
				},
			],
		]);
		expect(logs).toEqual([]);
	});

	it.each([
		['signed with another secret', signed('{}', 'another secret of somebody')],
		['signed ten minutes ago', signed('{}', SECRET, Date.now() / 1000 - 600)],
		['not signed', { body: event, credentials }],
		['signed, but no credential is chosen', { ...signed('{}'), credentials: {} }],
		[
			'signed, but the credential has no secret',
			{
				...signed('{}', ''),
				credentials: { carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret: '' } },
			},
		],
	])('is refused when it is %s, with one warning that tells no secret', async (_what, request) => {
		const { status, body, started, staticData, logs } = await send({}, request);
		expect({ status, started, body }).toEqual({
			...{ status: 401, started: false },
			body: { message: 'Not authorized' },
		});
		expect(logs.map(({ level }) => level)).toEqual(['warn']);
		expect(logs[0]?.text).toContain('"Node under test" refused a webhook request: ');
		expect(JSON.stringify(logs)).not.toContain(SECRET);
		expect(staticData).toEqual({});
	});

	it('is taken from the sandbox', async () => {
		const sandbox = await startSandbox({ calls: 1 });
		try {
			const seen: WebhookRequest[] = [];
			const server = await receiver(async (request) => {
				seen.push(request);
				return 200;
			});
			await sandbox.deliver({ metadata: { mine: 1 } }, { url: addressOf(server), secret: SECRET });
			server.close();
			const { status, workflowData } = await send({}, { ...seen[0], credentials });
			expect(status).toBe(200);
			expect(workflowData?.[0]?.[0]?.json).toMatchObject({
				...{ event: 'call.completed', metadata: { mine: 1 }, loadNumber: '48213' },
			});
		} finally {
			await sandbox.close();
		}
	});
});

describe('other ways to prove who one is', () => {
	it('asks a browser for user and password', async () => {
		const basic = { method: 'basic', user: 'dispatch', password: 'a password' };
		const request = { body: event, credentials: { carrierLoadCommunicationsWebhookApi: basic } };
		const refused = await send({}, request);
		expect(refused).toMatchObject({ status: 401, started: false });
		expect(refused.headers['www-authenticate']).toContain('Basic');
		const headers = { authorization: `Basic ${btoa('dispatch:a password')}` };
		expect(await send({}, { ...request, headers })).toMatchObject({ status: 200, started: true });
	});

	it('takes only allowed addresses, and does not believe a header', async () => {
		const from = (allowedAddresses: string, headers = {}) =>
			send({ ...open, eventOptions: { allowedAddresses } }, { body: event, headers });
		expect(await from('127.0.0.0/8')).toMatchObject({ status: 200, started: true });
		expect(await from('::1, ::ffff:127.0.0.1')).toMatchObject({ status: 200 });
		const refused = await from('203.0.113.7', { 'x-forwarded-for': '203.0.113.7' });
		expect(refused).toMatchObject({ status: 401, started: false });
		expect(refused.logs[0]?.text).toContain('127.0.0.1 is not in the list');
		expect((await from('my-host')).logs[0]?.text).toContain('no addresses: my-host');
	});

	it('tells in the editor whether the credential can be used', async () => {
		const type = engine.types.getByNameAndVersion(
			'n8n-nodes-carrier-load-communications.carrierLoadCommunicationsTrigger',
		);
		const test = type.methods?.credentialTest?.testWebhookCredential;
		const judge = async (data: object) =>
			await test?.call({} as never, { id: '1', name: '', type: '', data } as never);
		const good = { method: 'hmac', secret: SECRET, headerName: 'X-Signature' };
		expect(await judge(good)).toMatchObject({ status: 'OK' });
		expect(await judge({ ...good, secret: 'short' })).toMatchObject({
			...{ status: 'Error', message: expect.stringContaining('guessed') },
		});
		expect(await judge({ ...good, secret: '' })).toMatchObject({
			...{ status: 'Error', message: expect.stringContaining('has no secret') },
		});
	});
});

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
	])('that is %s is refused with 400', async (_what, rawBody) => {
		for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
			const request = { rawBody, headers: { 'content-type': type } };
			expect(await send(open, request)).toMatchObject({ status: 400, started: false });
		}
	});

	it('that is JSON is taken, whatever its type is said to be', async () => {
		const rawBody = `\uFEFF${JSON.stringify(event)}`;
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/xml']) {
			const request = { rawBody, headers: { 'content-type': type } };
			expect(await send(open, request)).toMatchObject({ status: 200, started: true });
		}
	});

	it('that is an empty list starts nothing', async () => {
		expect(await send(open, { body: [] })).toMatchObject({ status: 200, started: false });
	});
});

describe('the same event again', () => {
	it('is answered, and starts nothing', async () => {
		const node = { id: randomUUID() };
		const first = await send(open, { body: event, node });
		const again = await send(open, { body: event, node });
		expect([first, again]).toMatchObject([
			{ status: 200, started: true },
			{ status: 200, started: false, body: { repeated: 1, started: 0 } },
		]);
	});

	it('is known from the static data', async () => {
		const { staticData } = await send(open, { body: event });
		const stored = { 'node:Node under test': staticData };
		expect(await send(open, { body: event, staticData: stored })).toMatchObject({
			started: false,
		});
	});

	it('is known by its id, and starts when repeats are wanted', async () => {
		const node = { id: randomUUID() };
		const first = { ...event, id: 'e1', sentAt: 1 };
		const again = { ...event, id: 'e1', sentAt: 2 };
		const byId = { ...open, eventOptions: { eventIdField: 'id' } };
		expect(await send(byId, { body: first, node })).toMatchObject({ started: true });
		expect(await send(byId, { body: [again, event], node })).toMatchObject({
			body: { repeated: 1, started: 1 },
		});
		const wanted = { ...open, eventOptions: { ignoreRepeats: false } };
		expect(await send(wanted, { body: first, node })).toMatchObject({ started: true });
	});

	it('starts when the first one could not be started', async () => {
		const node = { id: randomUUID() };
		const failing = { ...open, eventOptions: { responseCode: 500 } };
		expect(await send(failing, { body: event, node })).toMatchObject({ status: 500 });
		expect(await send(open, { body: event, node })).toMatchObject({ status: 200, started: true });
	});

	it('starts once when it comes sixteen times at the same moment', async () => {
		const node = { id: randomUUID() };
		const answers = await Promise.all(
			Array.from({ length: 16 }, () => send(open, { body: event, node })),
		);
		expect(answers.filter(({ started }) => started)).toHaveLength(1);
		expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
	});

	it('starts each time at the test address', async () => {
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

	it('lets events through that pass it, and answers all others with success', async () => {
		const metadata = { condition: [{ key: 'loadNumber', test: 'equals', value: '48213' }] };
		expect(await filtered({ filters: { metadata } })).toMatchObject({ started: true });
		const other = { condition: [{ key: 'team', test: 'exists' }] };
		for (const parameters of [
			{ filters: { metadata: other } },
			{ filters: { loadNumber: '48214' } },
			{ eventKinds: 'only', kinds: 'call.failed' },
		]) {
			expect(await filtered(parameters)).toMatchObject({
				...{ status: 200, started: false, noWebhookResponse: false },
				body: { filtered: 1, started: 0 },
			});
		}
	});

	it('can send each kind out of its own output', async () => {
		const split = { ...open, eventKinds: 'split', kinds: 'call.started, Call.Completed' };
		const events = ['call.completed', 'call.started', 'other', undefined].map((kind) => ({
			event: kind,
		}));
		const { workflowData } = await send(split, { body: events });
		expect(workflowData?.map((items) => items.map(({ json }) => json.event))).toEqual([
			['call.started'],
			['call.completed'],
			['other', undefined],
		]);
	});
});

describe('the outputs', () => {
	const type = 'n8n-nodes-carrier-load-communications.carrierLoadCommunicationsTrigger';
	const outputsOf = (parameters: object) => {
		const node = { id: '1', name: 'Trigger', type, typeVersion: 1, parameters, position: [0, 0] };
		const { description } = engine.types.getByNameAndVersion(type);
		const workflow = new n8nWorkflow.Workflow({
			...{ nodes: [node as INode], connections: {}, active: false, nodeTypes: engine.types },
		});
		const outputs = n8nWorkflow.NodeHelpers.getNodeOutputs(workflow, node as INode, description);
		return outputs.map((output) => (typeof output === 'string' ? output : output.displayName));
	};

	it('are one, as in workflows from before, unless there is one for each kind', () => {
		expect(outputsOf({})).toEqual([undefined]);
		expect(outputsOf({ eventKinds: 'only', kinds: 'a, b' })).toEqual([undefined]);
		expect(outputsOf({ eventKinds: 'split', kinds: 'a, B, ,a' })).toEqual(['a', 'b', 'Other']);
		expect(outputsOf({ eventKinds: 'split' })).toEqual(['Other']);
	});
});

describe('an answer', () => {
	it('has the code and the body that the user wants', async () => {
		const answer = (eventOptions: object) => send({ ...open, eventOptions }, { body: event });
		const responseBody = '{ "ok": true }';
		expect(await answer({ responseCode: 202, responseBody })).toMatchObject({
			...{ status: 202, body: { ok: true }, started: true },
		});
		expect(await answer({ responseBody: 'thanks' })).toMatchObject({ body: { message: 'thanks' } });
	});

	it('is 405 for every method but POST, and success for health checks on wish', async () => {
		const by = (method: 'GET' | 'HEAD' | 'PUT' | 'DELETE', healthCheck: boolean) =>
			send({ ...open, eventOptions: { healthCheck } }, { method, webhook: 'setup' });
		for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
			const answer = await by(method, false);
			expect(answer).toMatchObject({ status: 405, started: false });
			expect(answer.headers.allow).toBe('POST');
		}
		expect(await by('GET', true)).toMatchObject({ status: 200, started: false });
		expect(await by('HEAD', true)).toMatchObject({ status: 200, started: false });
		expect(await by('PUT', true)).toMatchObject({ status: 405 });
	});

	it('shows headers on wish, without those that let somebody in', async () => {
		const headers = { 'x-event-id': '7', authorization: 'Bearer mine', 'x-secret': 'a' };
		const parameters = { ...open, eventOptions: { includeHeaders: true } };
		const { workflowData } = await send(parameters, { body: event, headers });
		const shown = workflowData?.[0]?.[0]?.json.headers;
		expect(shown).toMatchObject({ 'x-event-id': '7' });
		expect(Object.keys(Object(shown))).not.toContain('authorization');
		expect(Object.keys(Object(shown))).not.toContain('x-secret');
	});
});

async function receiver(take: (request: WebhookRequest) => Promise<number>): Promise<Server> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const headers = Object.fromEntries(
				Object.entries(request.headers).filter(([name]) => /^(x-|content-type)/.test(name)),
			) as Record<string, string>;
			void take({
				rawBody: Buffer.concat(chunks),
				headers,
				query: { path: request.url ?? '' },
			}).then((status) =>
				response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

function addressOf(server: Server): string {
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a call that is waited for', () => {
	let n8n: Server;
	let received: unknown[];
	let statuses: number[];
	let base: string;

	beforeAll(async () => {
		n8n = await receiver(async ({ rawBody, query }) => {
			received.push([query?.path, JSON.parse(String(rawBody))]);
			return statuses.shift() ?? 200;
		});
		base = `${addressOf(n8n)}/webhook-waiting`;
	});
	afterAll(() => n8n.close());
	beforeEach(() => {
		received = [];
		statuses = [];
	});

	const about = (n8nResumeUrl: string) => ({ ...event, metadata: { n8nResumeUrl } });
	const sendAbout = (url: string, eventOptions = {}) =>
		send(
			{ ...open, eventOptions, ownWaitingAddress: `${base}/__UNKNOWN__` },
			{ body: about(url), patienceMs: 15_000 },
		);

	it('gets the event, and the workflow of the trigger does not start', async () => {
		const { status, started, body } = await sendAbout(`${base}/231?signature=abc&wait=1`);
		expect({ status, started }).toEqual({ status: 200, started: false });
		expect(body).toMatchObject({ resumed: 1 });
		expect(received).toEqual([
			[
				'/webhook-waiting/231?signature=abc&wait=1',
				expect.objectContaining({ event: 'call.completed', callId: 7, payload: expect.anything() }),
			],
		]);
	});

	it('gets the event, and the workflow starts as well, or gets none, as the user likes', async () => {
		const url = `${base}/231`;
		const both = await sendAbout(url, { resume: 'resumeAndStart' });
		expect(both).toMatchObject({ started: true, body: { resumed: 1, started: 1 } });
		const off = await sendAbout(url, { resume: 'off' });
		expect(off).toMatchObject({ started: true, body: { resumed: 0 } });
		expect(received).toHaveLength(1);
	});

	it('starts the workflow when the execution does not take it, and says so', async () => {
		statuses = [404];
		const { started, logs } = await sendAbout(`${base}/231?signature=abc`);
		expect(started).toBe(true);
		expect(logs.map(({ text }) => text).join()).toContain('n8n answered 404');
		expect(JSON.stringify(logs)).not.toContain('abc');
	});

	it('is never looked for at another address', async () => {
		const other = await receiver(async (request) => {
			received.push(request);
			return 200;
		});
		for (const url of [`${addressOf(other)}/webhook-waiting/1`, `${base}/../rest/users`]) {
			expect(await sendAbout(url)).toMatchObject({ started: true, body: { resumed: 0 } });
		}
		other.close();
		expect(received).toEqual([]);
	});

	it('is looked for at the addresses of this n8n by default', async () => {
		const { logs, started } = await send(open, {
			...{ body: about('http://localhost:5678/webhook-waiting/1'), patienceMs: 15_000 },
		});
		expect(started).toBe(true);
		expect(logs.map(({ text }) => text).join()).toContain('did not take it');
	});
});

describe('a subscription', () => {
	it('is always there, because the service has none', async () => {
		for (const method of ['checkExists', 'create', 'delete'] as const) {
			expect(await engine.webhookMethod(method, {}, {})).toBe(true);
		}
	});
});
