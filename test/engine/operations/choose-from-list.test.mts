import type { INodeParameters } from 'n8n-workflow';
import { cpuTime } from '../../support/cpu-time.mts';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 1500 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const get = { resource: 'call', operation: 'get' };
const chosen = (value: unknown, mode = 'list') => ({ __rl: true, mode, value }) as INodeParameters;

/** What the editor shows when a list is opened or typed into. */
const search = async (
	method: 'searchCalls' | 'searchMcNumbers',
	options: { filter?: string } = {},
	parameters: INodeParameters = get,
) =>
	await runner.engine.searchList(method, parameters, {
		credentials: runner.credentials,
		...options,
	});

async function allCalls() {
	const all = { resource: 'call', operation: 'getAll', timeRange: 'last30Days', returnAll: true };
	const { items } = await runner.run({ ...all, output: 'all' });
	runner.sandbox.ledger.clear();
	return items.map(({ id, createdAt, loadIds, callerName, mcNumber }) => ({
		...{ id: String(id), createdAt: String(createdAt), callerName: String(callerName) },
		...{ loadId: String(Object(loadIds)[0]), mcNumber: String(mcNumber) },
	}));
}

describe('the calls to choose from', () => {
	it('are the newest ones, each with its time, load and person', async () => {
		const createdAt = new Date(Date.now() - 60_000).toISOString();
		const [id] = runner.sandbox.insert({ createdAt });
		const newest = (await allCalls()).find((call) => call.id === String(id));
		const { results } = await search('searchCalls');
		const local = { timeZone: 'America/New_York', hourCycle: 'h23' } as const;
		const day = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
		const time = new Date(createdAt).toLocaleString('en-US', { ...local, ...day });
		expect(results[0]).toEqual({
			name: `${time} · load ${newest?.loadId} · ${newest?.callerName}`,
			value: String(id),
		});
	});

	it('are read without blocking n8n if the service returns 20,000 at a time', async () => {
		const createdAt = new Date().toISOString();
		const calls = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1, createdAt }));
		runner.sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'body', body: { calls } } });
		const { result, cpuMs } = await cpuTime(() => search('searchCalls'));
		expect(result.results).toHaveLength(2500);
		expect(cpuMs).toBeLessThan(1000);
	});

	it('cost one request each time, for the last seven days', async () => {
		await search('searchCalls');
		await search('searchCalls', { filter: 'nobody has this name' });
		await search('searchCalls', { filter: '99999999' });
		const queries = runner.queries('listCalls');
		expect(queries).toHaveLength(3);
		for (const { startTime, offset = 0 } of queries.map(Object)) {
			const days = (Date.now() - Date.parse(String(startTime))) / 86_400_000;
			expect([Math.round(days), Number(offset)]).toEqual([7, 0]);
		}
	});

	it('are found by load, among those of the last seven days', async () => {
		const weekAgo = Date.now() - 7 * 86_400_000;
		const calls = (await allCalls()).filter(({ createdAt }) => Date.parse(createdAt) > weekAgo);
		const wanted = calls[Math.min(calls.length, 400) - 1];
		const { results } = await search('searchCalls', { filter: `load ${wanted?.loadId}` });
		expect(results.map(({ value }) => value)).toContain(wanted?.id);
		for (const { name } of results) expect(name).toContain(wanted?.loadId);
	});

	it('are found by a part of the name of the person', async () => {
		const [newest] = await allCalls();
		const filter = newest?.callerName.toLowerCase().slice(1, -1) ?? '';
		const { results } = await search('searchCalls', { filter });
		expect(results.map(({ value }) => value)).toContain(newest?.id);
	});

	it.each([
		{ createdAt: null, loadIds: null, callerName: null, toPhone: null },
		{ loadIds: 7 },
		{},
	])('are shown as far as the service tells of them: %j', async (fields) => {
		const body = { calls: [{ id: 5, ...fields }, null, { id: null }] };
		runner.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'body', body },
			times: 'always',
		});
		const { results } = await search('searchCalls');
		expect(results).toEqual([{ name: expect.stringMatching(/^(load 7 · )?call 5$/), value: '5' }]);
	});
});

describe('the calls to choose from, with times written in different ways', () => {
	it('are shown with them, the newest first', async () => {
		const calls = [
			{ id: 1, createdAt: '2026-03-02 17:00:00+00' },
			{ id: 2, createdAt: Date.parse('2026-03-02T20:00:00Z') / 1000 },
			{ id: 3, createdAt: '2026-03-02 18:30:00.250000+00' },
			{ id: 4, createdAt: '2026-03-02T19:00:00.000Z' },
			// Without a zone: as the service writes it.
			{ id: 5, createdAt: '2026-03-02 16:00:00' },
		];
		const body = { calls, pagination: { total: 5 } };
		const fault = { kind: 'body' as const, body };
		runner.sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
		const { results } = await search('searchCalls');
		expect(results.map(({ name }) => name)).toEqual([
			'Mar 2, 15:00 · call 2',
			'Mar 2, 14:00 · call 4',
			'Mar 2, 13:30 · call 3',
			'Mar 2, 12:00 · call 1',
			'Mar 2, 16:00 · call 5',
		]);
	});
});

describe.each([
	['call', 'searchMcNumbers'],
	['conversation', 'searchMcNumbers'],
	['bid', 'searchMcNumbers'],
] as const)('the carriers to choose from for %ss', (resource, method) => {
	const form = { resource, operation: 'getAll' };

	it('are those of this list, each once, and bring records when they are chosen', async () => {
		const { results } = await search(method, {}, form);
		expect(results.length).toBeGreaterThan(1);
		expect(new Set(results.map(({ value }) => value)).size).toBe(results.length);
		const [first] = results;
		expect(first?.name).toMatch(new RegExp(`^MC ${String(first?.value)} · \\S.* · \\w{3} \\d+, `));
		const { items } = await runner.run({
			...form,
			timeRange: 'last30Days',
			filters: { mcNumber: chosen(first?.value) },
			output: 'all',
		});
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) expect(item.mcNumber ?? item.carrierMc).toBe(first?.value);
	});

	it('are found by their number as people write it', async () => {
		const { results } = await search(method, {}, form);
		const last = results.at(-1);
		const found = await search(method, { filter: `MC-${String(last?.value)}` }, form);
		expect(found.results.map(({ value }) => value)).toEqual([last?.value]);
	});
});

it('the polling trigger offers the carriers of the list that it watches', async () => {
	const type = 'carrierLoadCommunicationsPollingTrigger';
	const { credentials } = runner;
	await runner.engine.searchList('searchMcNumbers', { event: 'newBid' }, { type, credentials });
	expect(runner.queries('listBids').length).toBeGreaterThan(0);
	expect(runner.queries('listCalls')).toEqual([]);
});

describe('a list that cannot be read', () => {
	it.each([
		[401, 'rejected the access token.*paste|rejected the access token.*credential', undefined],
		[429, 'enter the number instead', 60],
		[503, 'enter the number instead', 60],
	])('shows %p as an error in words, without the token', async (status, words, retryAfter) => {
		const message = runner.sandbox.tokens.north;
		runner.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status, message, ...(retryAfter && { retryAfter }) },
			times: 'always',
		});
		const shown = await search('searchCalls').then(
			() => '',
			(thrown: Error) => thrown.message,
		);
		expect(shown).toMatch(new RegExp(words, 'i'));
		expect(shown).not.toContain('under Options');
		expect(shown).not.toContain(message);
	});
});

describe('the call of Get', () => {
	it.each(['list', 'id'])('may be stored by the editor, mode %p', async (mode) => {
		const [, second] = await allCalls();
		const { items } = await runner.run({ ...get, callId: chosen(second?.id, mode) });
		expect(items).toEqual([expect.objectContaining({ callId: Number(second?.id) })]);
	});

	it('may be an expression in the list field, and plain text of an older workflow', async () => {
		const [first] = await allCalls();
		const items = [{ id: Number(first?.id) }];
		for (const callId of [chosen('={{ $json.id }}', 'id'), '={{ $json.id }}', String(first?.id)]) {
			const run = await runner.run({ ...get, callId }, { items });
			expect(run.error).toBeUndefined();
			expect(run.items).toEqual([expect.objectContaining({ callId: Number(first?.id) })]);
		}
	});

	it('may be filled by an agent, stored either way', async () => {
		const [first] = await allCalls();
		const fromAI = "={{ $fromAI('Call_ID', '', 'string') }}";
		for (const callId of [chosen(fromAI, 'id'), fromAI]) {
			const run = await runner.runTool({ ...get, callId }, { Call_ID: String(first?.id) });
			expect(JSON.parse(String(run.items[0]?.answer))).toEqual([
				expect.objectContaining({ callId: Number(first?.id) }),
			]);
		}
	});

	it.each([
		[chosen(''), 'Parameter "Call ID" is required'],
		[{ mode: 'list', value: '' }, 'Parameter "Call ID" is required'],
		[chosen('abc', 'id'), 'Call ID must be a whole number'],
	])('is refused by the editor when it is %j', async (callId, words) => {
		await expect(runner.run({ ...get, callId })).rejects.toThrow(words);
	});

	it.each(['={{ null }}', '={{ "" }}', '={{ "abc" }}', '={{ {} }}'])(
		'is refused before anything is sent when its expression gives %p',
		async (value) => {
			const { error } = await runner.run({ ...get, callId: chosen(value, 'id') });
			expect(error?.message).toMatch(/^Call ID (is required|must be)/);
			expect(runner.queries('listCalls')).toEqual([]);
		},
	);
});

it('an MC Number filter that was added and left empty filters nothing', async () => {
	const all = { resource: 'call', operation: 'getAll', timeRange: 'last30Days', limit: 3 };
	const { items, error } = await runner.run({
		...all,
		filters: { mcNumber: { mode: 'list', value: '' } },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
});
