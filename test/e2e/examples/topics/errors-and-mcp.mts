import { once } from 'node:events';
import { createServer } from 'node:http';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { TMS_KEY } from '../../../../playground/setup/import-examples.mts';
import { PACKAGE_NAME } from '../../../../playground/setup/paths.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

let environment: ExamplesEnvironment;

/** A workflow of a user that gets a list of loads, and fails at its last node. */
function failingWorkflow(id: string, last: JsonObject) {
	const base = (name: string, type: string, typeVersion: number, parameters: JsonObject) => ({
		...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
	});
	const hook = { httpMethod: 'POST', path: id, responseMode: 'onReceived', options: {} };
	const nodes = [
		{ ...base('Loads', 'webhook', 2.1, hook), webhookId: id, position: [0, 0] },
		{
			...base('Each load', 'splitOut', 1, { fieldToSplitOut: 'body.loads', options: {} }),
			position: [200, 0],
		},
		{ id: 'last', name: 'Last step', position: [400, 0], ...last },
	];
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const connections = { Loads: to('Each load'), 'Each load': to('Last step') };
	return { id, name: id, nodes, connections, settings: { errorWorkflow: 'tellTheDesk' } };
}

const CHECK_CALL = {
	...{ type: `${PACKAGE_NAME}.carrierLoadCommunications`, typeVersion: 1 },
	parameters: {
		...{ resource: 'call', operation: 'triggerCheckCall', toPhone: '={{ $json.phone }}' },
		...{ loadNumber: '={{ $json.loadNumber }}', nextStopIndex: 1, options: {} },
	},
	credentials: {
		carrierLoadCommunicationsApi: { id: null, name: 'Carrier Load Communications (sandbox)' },
	},
};
const STOP = {
	...{ type: 'n8n-nodes-base.stopAndError', typeVersion: 1 },
	parameters: { errorMessage: 'The disk is full' },
};

/** Which loads a failure has affected. */
export function testErrorWorkflow(n8n: ExamplesN8n): void {
	const fail = async (id: string, loads: JsonObject[]) => {
		const url = `${environment.baseUrl}/webhook/${id}`;
		await waitUntil('the webhook', async () => await environment.session.webhookIsRegistered(url));
		const headers = { 'content-type': 'application/json' };
		await fetch(url, { method: 'POST', headers, body: JSON.stringify({ loads }) });
	};
	const desk = async (load: string) => await environment.rows('calls_to_make_by_hand', load);
	let apiFailure: 'an error' | 'a web page' | 'no response' | undefined;
	/** Leads to n8n's own API, or fails. */
	const api = createServer((request, response) => {
		if (apiFailure === 'an error') return void response.writeHead(503).end('{"message":"down"}');
		if (apiFailure === 'a web page') {
			return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>');
		}
		if (apiFailure === 'no response') return void request.socket.destroy();
		const headers = { 'x-n8n-api-key': String(request.headers['x-n8n-api-key']) };
		void fetch(`${environment.baseUrl}${request.url}`, { headers }).then(async (answer) => {
			const type = answer.headers.get('content-type') ?? '';
			response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
		});
	});

	beforeAll(async () => {
		const session = (await n8n.import([], { only: [] })).session;
		api.listen(0, '127.0.0.1');
		await once(api, 'listening');
		const address = api.address();
		const port = isRecord(address) ? String(address['port']) : '';
		const key = await session.rest.send('create an API key', 'POST', '/rest/api-keys', {
			...{ label: 'error workflow', expiresAt: null, scopes: ['execution:read'] },
		});
		const credential = {
			...{ name: 'n8n API key', type: 'n8nApi' },
			data: { apiKey: textIn(key, 'rawApiKey'), baseUrl: `http://127.0.0.1:${port}/api/v1` },
		};
		environment = await n8n.import([], { only: ['tellTheDesk'], credentials: [credential] });
		await environment.session.activate('tellTheDesk');
		for (const [id, last] of [
			['failsAtTheCall', CHECK_CALL],
			['failsElsewhere', STOP],
		] as const) {
			await environment.session.createWorkflow(failingWorkflow(id, last));
			await environment.session.activate(id);
		}
	});
	afterAll(async () => await environment?.remove());
	afterAll(() => void api.close());

	it('names the load of a call that was not placed', async () => {
		await fail('failsAtTheCall', [{ loadNumber: '76001', phone: '+1 876 555 0101' }]);
		await waitUntil('the row', async () => (await desk('76001')).length > 0);
		expect(await desk('76001')).toMatchObject([
			{
				name: 'failsAtTheCall',
				reason: expect.stringMatching(/^Last step failed: .*76001/),
				advice: expect.stringContaining('/workflow/failsAtTheCall/executions/'),
			},
		]);
		expect(environment.sandbox.ledger.dialed()).toEqual([]);
	});

	it('finds the loads of a run in its data when the error names none, each once', async () => {
		const loads = Array.from({ length: 30 }, (_, nth) => ({ loadNumber: String(76_100 + nth) }));
		await fail('failsElsewhere', [...loads, { loadNumber: '76100' }]);
		await waitUntil('the rows', async () => (await desk('76129')).length > 0);
		for (const { loadNumber } of loads) {
			expect(await desk(loadNumber)).toMatchObject([
				{ reason: 'Last step failed: The disk is full ' },
			]);
		}
	});

	it('says what failed when no load can be found', async () => {
		await fail('failsElsewhere', [{ pallets: 3 }]);
		await waitUntil('the row', async () => (await desk('')).length > 0);
		expect(await desk('')).toMatchObject([{ name: 'failsElsewhere' }]);
	});

	it.each(['an error', 'a web page', 'no response'] as const)(
		'tells a person what failed when the API of n8n gives %s instead of the run',
		async (failure) => {
			const before = (await desk('')).length;
			apiFailure = failure;
			await fail('failsElsewhere', [{ loadNumber: '76300' }, { loadNumber: '76301' }]);
			await waitUntil('the row', async () => (await desk('')).length > before);
			apiFailure = undefined;
			expect((await desk('')).slice(before)).toMatchObject([
				{
					name: 'failsElsewhere',
					reason: expect.stringContaining('The disk is full'),
					advice: expect.stringContaining('/workflow/failsElsewhere/executions/'),
				},
			]);
			expect([...(await desk('76300')), ...(await desk('76301'))]).toEqual([]);
		},
	);
}

/** What an assistant may look up. */
export function testMcpServer(n8n: ExamplesN8n): void {
	let url: string;
	let sessionId: string | undefined;

	/** One request of the Model Context Protocol over Streamable HTTP. */
	async function ask(method: string, params: JsonObject = {}, key = TMS_KEY.value) {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				[TMS_KEY.name]: key,
				...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
		});
		sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
		const text = await response.text();
		const line = text.split('\n').find((each) => each.startsWith('data: '));
		const answer: unknown = response.ok ? JSON.parse(line?.slice(6) ?? text) : undefined;
		const result = isRecord(answer) ? answer['result'] : undefined;
		return { status: response.status, result: isRecord(result) ? result : {} };
	}
	const start = async () =>
		await ask('initialize', {
			...{ protocolVersion: '2025-03-26', capabilities: {} },
			clientInfo: { name: 'test', version: '1' },
		});

	beforeAll(async () => {
		environment = await n8n.import([], { only: ['readOnlyMcpServer'] });
		await environment.session.activate('readOnlyMcpServer');
		url = `${environment.baseUrl}/mcp/carrier-load-communications`;
		await waitUntil('the MCP server', async () => (await ask('ping', {}, 'wrong')).status !== 404);
	});
	afterAll(async () => await environment?.remove());

	it('refuses a wrong key', async () => {
		expect((await ask('initialize', {}, 'wrong')).status).toBe(403);
	});

	it('offers six tools that read, and none that calls', async () => {
		expect((await start()).status).toBe(200);
		const { result } = await ask('tools/list');
		const names = recordsIn(result, 'tools').map((tool) => textIn(tool, 'name'));
		expect(names.toSorted()).toEqual([
			'Analytics',
			'Bids',
			'Call',
			'Calls',
			'Carriers',
			'Conversations',
		]);
	});

	it('responds with data of the service, and places no call', async () => {
		for (const [name, args, expected] of [
			['Calls', { Load_ID: '' }, 'callId'],
			['Bids', { Load_ID: '' }, 'loadNumber'],
			['Conversations', { Load_ID: '' }, 'conversationId'],
			['Carriers', { Origin: 'Chicago, IL', Destination: 'Dallas, TX' }, 'dotNumber'],
			['Analytics', {}, 'totalCalls'],
		] as const) {
			const { result } = await ask('tools/call', { name, arguments: args });
			expect([name, JSON.stringify(result)]).toEqual([name, expect.stringContaining(expected)]);
		}
		environment.sandbox.insert({ loadId: '48220' });
		const { result: calls } = await ask('tools/call', {
			name: 'Calls',
			arguments: { Load_ID: '' },
		});
		const id = /callId\W+(\d+)/.exec(JSON.stringify(calls))?.[1] ?? '';
		const { result } = await ask('tools/call', { name: 'Call', arguments: { Call_ID: id } });
		expect(JSON.stringify(result)).toContain(id);
		expect(environment.sandbox.ledger.dialed()).toEqual([]);
	});
}
