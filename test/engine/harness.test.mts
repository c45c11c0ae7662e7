import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialType, IDataObject, INodeType } from 'n8n-workflow';
import { chain, startEngine, type Engine } from './harness/index.mts';

// The harness proves itself on a node type of its own: what a test of the package relies on must
// be n8n's doing, not the harness's.

const credential: ICredentialType = {
	name: 'dispatchApi',
	displayName: 'Dispatch API',
	properties: [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Token', name: 'token', type: 'string', default: '' },
		{ displayName: 'Scheme', name: 'scheme', type: 'hidden', default: 'Bearer' },
	],
	authenticate: {
		type: 'generic',
		properties: {
			headers: { Authorization: '={{$credentials.scheme}} {{$credentials.token}}' },
		},
	},
	test: {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/loads' },
		rules: [{ type: 'responseCode', properties: { value: 401, message: 'Wrong token' } }],
	},
};

const requestLoads: INodeType['execute'] = async function () {
	const output = [];
	for (const index of this.getInputData().keys()) {
		const { baseUrl } = await this.getCredentials('dispatchApi', index);
		const load = this.getNodeParameter('load', index);
		const url = `${String(baseUrl)}/loads/${String(load)}`;
		try {
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'dispatchApi', {
				url,
			});
			const binary = { data: await this.helpers.prepareBinaryData(Buffer.from('tape'), 'a.wav') };
			output.push({
				json: { ...json, zone: this.getTimezone() },
				binary,
				pairedItem: { item: index },
			});
		} catch (error) {
			if (!this.continueOnFail()) throw error;
			output.push({ json: { error: String(error), message: '' }, pairedItem: { item: index } });
		}
	}
	if (this.getNodeParameter('waits', 0)) await this.putExecutionToWait(new Date(Date.now() + 3e6));
	this.addExecutionHints({ message: 'Loads were read', location: 'outputPane' });
	this.logger.info(`read ${output.length} loads`);
	return [output];
};

const dispatch: INodeType = {
	description: {
		displayName: 'Dispatch',
		name: 'dispatch',
		group: ['transform'],
		version: [1, 2],
		description: 'Reads loads',
		defaults: { name: 'Dispatch' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'dispatchApi', required: true }],
		properties: [
			{ displayName: 'Load', name: 'load', type: 'string', default: '48213' },
			{ displayName: 'Waits', name: 'waits', type: 'boolean', default: false },
		],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: '', restartWebhook: true, isFullPath: true },
		],
	},
	execute: requestLoads,
	async webhook() {
		const { goOn, ...json } = this.getBodyData();
		return goOn ? { workflowData: [[{ json }]] } : {};
	},
};

const dispatchTrigger: INodeType = {
	description: {
		...dispatch.description,
		name: 'dispatchTrigger',
		group: ['trigger'],
		inputs: [],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'hook' }],
		properties: [{ displayName: 'Does', name: 'does', type: 'string', default: 'start' }],
	},
	async webhook() {
		const response = this.getResponseObject();
		const does = this.getNodeParameter('does');
		if (does === 'refuse') response.status(401).end('no');
		if (does === 'refuse' || does === 'hang') return { noWebhookResponse: true };
		if (does === 'filter') return {};
		if (does === 'fail') throw new Error('broken');
		const raw = this.getRequestObject().rawBody.toString();
		const { token } = await this.getCredentials('dispatchApi');
		const seen = {
			raw,
			body: this.getBodyData(),
			query: this.getQueryData() as IDataObject,
			token,
		};
		return { workflowData: [[{ json: seen as IDataObject }]] };
	},
	webhookMethods: {
		default: {
			async checkExists() {
				return this.getNodeWebhookUrl('default')?.includes('hook') ?? false;
			},
			create: async () => true,
			delete: async () => true,
		},
	},
	async poll() {
		const memory = this.getWorkflowStaticData('node');
		memory.polls = Number(memory.polls ?? 0) + 1;
		if (this.getNodeParameter('does') === 'fail') throw new Error('no answer');
		return memory.polls === 1 ? null : [[{ json: { polls: memory.polls, mode: this.getMode() } }]];
	},
};

let engine: Engine;
let server: ReturnType<typeof createServer>;
let credentials: { dispatchApi: IDataObject };
let seen: IncomingMessage[] = [];
let failing = 0;

function reply(request: IncomingMessage, response: ServerResponse) {
	seen.push(request);
	const authorized = request.headers.authorization === 'Bearer secret-token';
	const status = authorized ? 200 : 401;
	response.writeHead(failing-- > 0 ? 503 : status, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ path: request.url }));
}

beforeAll(async () => {
	engine = await startEngine({
		package: false,
		nodeTypes: { 'testParts.dispatch': dispatch, 'testParts.dispatchTrigger': dispatchTrigger },
		credentialTypes: [credential],
	});
	server = createServer(reply);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	credentials = { dispatchApi: { baseUrl: `http://127.0.0.1:${port}`, token: 'secret-token' } };
});

afterAll(() => {
	engine.close();
	server.closeAllConnections();
	server.close();
});

beforeEach(() => {
	seen = [];
	failing = 0;
});

const run = (parameters = {}, options = {}) =>
	engine.runNode(parameters, { type: 'dispatch', credentials, ...options });

describe('a node in the engine', () => {
	it('sends one authenticated request per item, its expressions resolved for that item', async () => {
		const items = [{ number: 48213 }, { number: 48214 }];
		const { status, items: out, output } = await run({ load: '={{ $json.number }}' }, { items });
		expect(status).toBe('success');
		expect(out.map(({ path }) => path)).toEqual(['/loads/48213', '/loads/48214']);
		expect(output()[1]?.pairedItem).toEqual({ item: 1 });
		expect(seen.map(({ headers }) => headers.authorization)).toEqual(
			Array(2).fill('Bearer secret-token'),
		);
	});

	it('gets its default parameters, the workflow time zone, hints and a log', async () => {
		const { items, hints, logs } = await run({}, { timezone: 'America/Chicago' });
		expect(items).toEqual([{ path: '/loads/48213', zone: 'America/Chicago' }]);
		expect(hints.map(({ message }) => message)).toEqual(['Loads were read']);
		expect(logs).toContainEqual({ level: 'info', text: 'read 1 loads' });
	});

	it('stores binary data as n8n does', async () => {
		const { output } = await run();
		const data = output()[0]?.binary?.data;
		expect(data).toMatchObject({ fileName: 'a.wav', mimeType: 'audio/wav', data: 'filesystem-v2' });
	});

	it('fails with the error of the real request helper', async () => {
		failing = 1;
		const { status, error } = await run();
		expect(status).toBe('error');
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
	});

	it('runs again for all items when Retry On Fail is on', async () => {
		failing = 1;
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { status } = await run({}, { node });
		expect(status).toBe('success');
		expect(seen).toHaveLength(2);
	});

	it('sends a failed item to the error output when told to', async () => {
		failing = 1;
		const items = [{ number: 1 }, { number: 2 }];
		const node = { onError: 'continueErrorOutput' as const };
		const { output } = await run({ load: '={{ $json.number }}' }, { items, node });
		expect(output(0).map(({ json }) => json.path)).toEqual(['/loads/2']);
		expect(output(1).map(({ json }) => json.number)).toEqual([1]);
	});

	it('runs again when the execution is retried from the editor', async () => {
		failing = 1;
		const failed = await run();
		const retried = await engine.retry(failed);
		expect(retried.status).toBe('success');
		expect(retried.items[0]?.path).toBe('/loads/48213');
	});

	it('is stopped when the user presses Stop', async () => {
		const stop = new AbortController();
		server.once('request', () => stop.abort());
		const items = Array.from({ length: 50 }, () => ({}));
		const { status } = await run({}, { items, signal: stop.signal });
		expect(status).toBe('canceled');
		expect(seen.length).toBeLessThan(50);
	});

	it('has credentials that are stored encrypted and decrypted for the request', async () => {
		const { workflow } = await run();
		const reference = workflow.getNode('Node under test')?.credentials?.dispatchApi;
		const stored = await engine.credentials.getCredentials(
			reference ?? { id: '', name: '' },
			'dispatchApi',
		);
		expect(stored.getDataToSave().data).not.toContain('secret-token');
		expect(await stored.getData()).toEqual(credentials.dispatchApi);
	});

	it('waits, and goes on with what its webhook made of the request', async () => {
		const waiting = await run({ waits: true });
		expect(waiting.status).toBe('waiting');
		const early = await engine.resumeByWebhook(waiting, { body: { eta: '13:45' } });
		expect(early.run).toBeUndefined();
		const late = await engine.resumeByWebhook(waiting, { body: { eta: '13:45', goOn: true } });
		expect(late.run?.status).toBe('success');
		expect(late.run?.items).toEqual([{ eta: '13:45' }]);
		expect(seen).toHaveLength(1);
	});

	it('waits, and goes on with its input when the time is up', async () => {
		const waiting = await run({ waits: true }, { items: [{ number: 5 }] });
		const { status, items } = await engine.resumeAfterWait(waiting);
		expect(status).toBe('success');
		expect(items).toEqual([{ number: 5 }]);
	});

	it('answers an AI agent that uses it as a tool', async () => {
		const parameters = { load: "={{ $fromAI('load', 'The load number') }}" };
		const { items, error } = await engine.runTool(
			parameters,
			{ load: '77' },
			{ type: 'dispatch', credentials },
		);
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject({ tool: 'Node_under_test' });
		expect(items[0]?.answer).toContain('/loads/77');
	});
});

describe('a workflow in the engine', () => {
	it('runs nodes one after the other, and a loop until it has no items left', async () => {
		const json = chain(
			{ name: 'Start', type: 'testParts.start' },
			{ name: 'Loop', type: 'testParts.loop', parameters: { batchSize: 2 } },
		);
		json.nodes.push({
			name: 'Dispatch',
			type: 'testParts.dispatch',
			parameters: { load: '={{ $json.n }}' },
		});
		json.connections.Loop = { main: [[], [{ node: 'Dispatch', type: 'main', index: 0 }]] };
		json.connections.Dispatch = { main: [[{ node: 'Loop', type: 'main', index: 0 }]] };
		const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
		const result = await engine.runWorkflow(json, { items, credentials, subject: 'Loop' });
		expect(result.status).toBe('success');
		expect(result.runs('Dispatch')).toHaveLength(2);
		expect(result.items.map(({ path }) => path)).toEqual(['/loads/1', '/loads/2', '/loads/3']);
	});

	it('names an unknown node type', async () => {
		await expect(engine.runWorkflow(chain({ name: 'A', type: 'nobody.knows' }))).rejects.toThrow(
			'No node type "nobody.knows"',
		);
	});
});

describe('a credential test', () => {
	it('tells a good credential from a wrong token and from a wrong address', async () => {
		const good = credentials.dispatchApi;
		const answers = [
			await engine.testCredential('dispatchApi', good),
			await engine.testCredential('dispatchApi', { ...good, token: 'other' }),
			await engine.testCredential('dispatchApi', { ...good, baseUrl: 'http://127.0.0.1:9' }),
		];
		expect(answers).toEqual([
			{ status: 'OK', message: 'Connection successful!' },
			{ status: 'Error', message: 'Wrong token' },
			{ status: 'Error', message: 'ECONNREFUSED' },
		]);
	});
});

describe('a webhook', () => {
	const hook = (does: string, request = {}) =>
		engine.webhook({ does }, { type: 'dispatchTrigger', credentials, ...request });

	it('gets the raw body, the parsed body, the query and its credentials', async () => {
		const rawBody = '{ "load" :  48213 }';
		const headers = { 'content-type': 'application/json' };
		const { status, body, workflowData } = await hook('start', {
			rawBody,
			headers,
			query: { a: 'b' },
		});
		expect({ status, body }).toEqual({ status: 200, body: { message: 'Workflow was started' } });
		expect(workflowData?.[0]?.[0]?.json).toEqual({
			raw: rawBody,
			body: { load: 48213 },
			query: { a: 'b' },
			token: 'secret-token',
		});
	});

	it('shows what the sender sees of a refusal, a filtered event, a failure and a bad body', async () => {
		const refused = await hook('refuse', { body: {} });
		expect(refused).toMatchObject({ status: 401, body: 'no', started: false });
		const filtered = await hook('filter', { body: {} });
		expect(filtered).toMatchObject({ status: 200, started: false });
		const failed = await hook('fail', { body: {} });
		expect(failed).toMatchObject({ status: 500, error: new Error('broken') });
		const headers = { 'content-type': 'application/json' };
		expect(await hook('start', { rawBody: '{', headers })).toMatchObject({ status: 422 });
	});

	it('shows a sender that was left hanging', async () => {
		const { status } = await hook('hang', { body: {}, patienceMs: 200 });
		expect(status).toBeUndefined();
	});

	it('knows its own address when it is registered', async () => {
		expect(await engine.webhookMethod('checkExists', {}, { type: 'dispatchTrigger' })).toBe(true);
	});
});

describe('a poll', () => {
	it('remembers its static data when the test hands it on', async () => {
		const first = await engine.poll({}, { type: 'dispatchTrigger', credentials });
		expect(first).toMatchObject({ items: undefined, staticData: { polls: 1 } });
		const { staticData } = first;
		const second = await engine.poll({}, { type: 'dispatchTrigger', credentials, staticData });
		expect(second.items).toEqual([{ polls: 2, mode: 'trigger' }]);
	});

	it('returns the error of a poll that failed', async () => {
		const { error } = await engine.poll({ does: 'fail' }, { type: 'dispatchTrigger', credentials });
		expect(error).toEqual(new Error('no answer'));
	});
});
