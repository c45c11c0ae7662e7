import { dispatchParts } from './support/dispatch-node.mts';
import { chain, startEngine, type Engine } from './support/harness/index.mts';
import { openLoads, type LoadsService } from './support/loads-service.mts';

let engine: Engine;
let loads: LoadsService;
let credentials: LoadsService['credentials'];

beforeAll(async () => {
	engine = await startEngine(dispatchParts);
	loads = await openLoads();
	({ credentials } = loads);
});

afterAll(() => {
	engine.close();
	loads.close();
});

beforeEach(() => loads.reset());

describe('a workflow in the engine', () => {
	it('runs nodes one after another, and a loop until no items are left', async () => {
		const json = chain(
			{ name: 'Start', type: 'testNodes.start' },
			{ name: 'Loop', type: 'testNodes.loop', parameters: { batchSize: 2 } },
		);
		json.nodes.push({
			name: 'Dispatch',
			type: 'testNodes.dispatch',
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

	it('shows what the sender gets for a rejected or filtered event, a failure and a bad body', async () => {
		const refused = await hook('refuse', { body: {} });
		expect(refused).toMatchObject({ status: 401, body: 'no', started: false });
		const filtered = await hook('filter', { body: {} });
		expect(filtered).toMatchObject({ status: 200, started: false });
		const failed = await hook('fail', { body: {} });
		expect(failed).toMatchObject({ status: 500, error: new Error('broken') });
		const headers = { 'content-type': 'application/json' };
		expect(await hook('start', { rawBody: '{', headers })).toMatchObject({ status: 422 });
	});

	it('shows when a sender got no response', async () => {
		const { status } = await hook('hang', { body: {}, patienceMs: 200 });
		expect(status).toBeUndefined();
	});

	it('knows its own URL when it is registered', async () => {
		expect(await engine.webhookMethod('checkExists', {}, { type: 'dispatchTrigger' })).toBe(true);
	});
});

describe('a poll', () => {
	it('remembers its static data when the test passes it on', async () => {
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
