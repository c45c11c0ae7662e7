import { dispatchParts } from './support/dispatch-node.mts';
import { startEngine, type Engine } from './support/harness/index.mts';
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

const run = (parameters = {}, options = {}) =>
	engine.runNode(parameters, { type: 'dispatch', credentials, ...options });

describe('a node in the engine', () => {
	it('sends one authenticated request per item, its expressions resolved for that item', async () => {
		const items = [{ number: 48213 }, { number: 48214 }];
		const { status, items: out, output } = await run({ load: '={{ $json.number }}' }, { items });
		expect(status).toBe('success');
		expect(out.map(({ path }) => path)).toEqual(['/loads/48213', '/loads/48214']);
		expect(output()[1]?.pairedItem).toEqual({ item: 1 });
		expect(loads.seen.map(({ headers }) => headers.authorization)).toEqual(
			Array(2).fill('Bearer secret-token'),
		);
	});

	it("has default parameters, the workflow's time zone, hints and a log", async () => {
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

	it("fails with the real request helper's error", async () => {
		loads.failing = 1;
		const { status, error } = await run();
		expect(status).toBe('error');
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
	});

	it('runs again for all items when Retry On Fail is on', async () => {
		loads.failing = 1;
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { status } = await run({}, { node });
		expect(status).toBe('success');
		expect(loads.seen).toHaveLength(2);
	});

	it('sends a failed item to the error output if set so', async () => {
		loads.failing = 1;
		const items = [{ number: 1 }, { number: 2 }];
		const node = { onError: 'continueErrorOutput' as const };
		const { output } = await run({ load: '={{ $json.number }}' }, { items, node });
		expect(output(0).map(({ json }) => json.path)).toEqual(['/loads/2']);
		expect(output(1).map(({ json }) => json.number)).toEqual([1]);
	});

	it('runs again when the execution is retried from the editor', async () => {
		loads.failing = 1;
		const failed = await run();
		const retried = await engine.retry(failed);
		expect(retried.status).toBe('success');
		expect(retried.items[0]?.path).toBe('/loads/48213');
	});

	it('is stopped when the user presses Stop', async () => {
		const stop = new AbortController();
		loads.server.once('request', () => stop.abort());
		const items = Array.from({ length: 50 }, () => ({}));
		const { status } = await run({}, { items, signal: stop.signal });
		expect(status).toBe('canceled');
		expect(loads.seen.length).toBeLessThan(50);
	});

	it('has credentials that are stored encrypted, and decrypted for the request', async () => {
		const { workflow } = await run();
		const reference = workflow.getNode('Node under test')?.credentials?.dispatchApi;
		const stored = await engine.credentials.getCredentials(
			reference ?? { id: '', name: '' },
			'dispatchApi',
		);
		expect(stored.getDataToSave().data).not.toContain('secret-token');
		expect(await stored.getData()).toEqual(credentials.dispatchApi);
	});

	it('waits, and continues with what its webhook returned', async () => {
		const waiting = await run({ waits: true });
		expect(waiting.status).toBe('waiting');
		const early = await engine.resumeByWebhook(waiting, { body: { eta: '13:45' } });
		expect(early.run).toBeUndefined();
		const late = await engine.resumeByWebhook(waiting, { body: { eta: '13:45', goOn: true } });
		expect(late.run?.status).toBe('success');
		expect(late.run?.items).toEqual([{ eta: '13:45' }]);
		expect(loads.seen).toHaveLength(1);
	});

	it('waits, and continues with its input when the time is up', async () => {
		const waiting = await run({ waits: true }, { items: [{ number: 5 }] });
		const { status, items } = await engine.resumeAfterWait(waiting);
		expect(status).toBe('success');
		expect(items).toEqual([{ number: 5 }]);
	});

	it('responds to an AI agent that uses it as a tool', async () => {
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
