import type { RequestListener } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { shortBackoffs } from '../../support/pauses.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { withServer } from '../support/service/answering-server.mts';

// An error's advice to change an option names only options that the operation has.

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => shortBackoffs());
afterEach(() => jest.restoreAllMocks());

const lane = { origin: 'Gary, IN', destination: 'Austin, TX' };
const calls = { toPhone: '+13125550188', rules: {} };
const operations: Record<string, INodeParameters> = {
	'Call > Get Many': { resource: 'call', operation: 'getAll' },
	'Call > Get': { resource: 'call', operation: 'get', callId: '5' },
	'Carrier > Search': { resource: 'carrier', operation: 'search', ...lane },
	'Analytics > Get Many': { resource: 'analytics', operation: 'getAll' },
	'Call > Place Agent Call': {
		...{ resource: 'call', operation: 'createAgentCall', agentId: 'a' },
		...calls,
	},
};

const saying =
	(status: number, headers: Record<string, string> = {}): RequestListener =>
	(_request, response) =>
		void response.writeHead(status, headers).end();

const described = async (
	parameters: INodeParameters,
	answer: RequestListener,
	options: INodeParameters = {},
) =>
	await withServer(answer, async (baseUrl) => {
		const credentials = { carrierLoadCommunicationsApi: { baseUrl, accessToken: 'a-token' } };
		const { error } = await engine.runNode({ ...parameters, options }, { credentials });
		return String(error?.description);
	});

it.each([['Call > Place Agent Call', 'lower Calls per Minute']])(
	'too many requests, for %s: %s',
	async (name, advice) => {
		const { [name]: parameters = {} } = operations;
		const text = await described(parameters, saying(429));
		expect(text).toContain(`Try again later. What you can change under Options: ${advice}.`);
	},
);

it.each([
	...['Call > Get Many', 'Call > Get', 'Carrier > Search', 'Analytics > Get Many'].map(
		(name) => [name, '300', true] as const,
	),
	['Call > Get Many', '3601', false],
	['Call > Place Agent Call', '3000', false],
] as const)('%s, told to wait %s seconds, can be made to wait: %p', async (name, wait, can) => {
	const { [name]: parameters = {} } = operations;
	const options: INodeParameters = parameters['toPhone'] === undefined ? { retryFor: 1 } : {};
	const text = await described(parameters, saying(429, { 'Retry-After': wait }), options);
	expect(text).toContain('The service asks to wait');
	const advice = 'What you can change under Options: raise Retry for Up to (Seconds).';
	expect(text.includes(advice)).toBe(can);
	expect(text).not.toContain('if Options has it');
});
