import { startNodeRunner, failure, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 1500 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const get = { resource: 'call', operation: 'get', callId: '={{ $json.id }}' };

async function someCalls() {
	const { items } = await runner.run({
		resource: 'call',
		operation: 'getAll',
		timeRange: 'last30Days',
		returnAll: true,
		output: 'all',
	});
	runner.sandbox.ledger.clear();
	return items;
}

it('finds each call by its own id, given as a number or as text', async () => {
	const calls = await someCalls();
	const [first, last] = [calls.at(0), calls.at(-1)];
	const { output } = await runner.run(
		{ ...get, output: 'all' },
		{ items: [{ id: first?.id ?? 0 }, { id: ` ${last?.id} ` }] },
	);
	expect(output()).toEqual([
		{ json: first, pairedItem: { item: 0 } },
		{ json: last, pairedItem: { item: 1 } },
	]);
});

it('walks the list only as far as needed', async () => {
	const [newest] = await someCalls();
	await runner.run({ ...get, lookBackDays: 90 }, { items: [{ id: newest?.id ?? 0 }] });
	expect(runner.queries('listCalls')).toHaveLength(1);
});

it('asks for the load and the days that it was told, and nothing else', async () => {
	const before = Date.now();
	await runner.run({ ...get, loadId: '48213', lookBackDays: 3 }, { items: [{ id: 5 }] });
	const [query, ...others] = runner.queries('listCalls');
	expect(others).toEqual([]);
	expect(query).toEqual({
		startTime: expect.any(String),
		endTime: expect.any(String),
		loadId: '48213',
		offset: '0',
		limit: '500',
	});
	const day = 86_400_000;
	expect(Date.parse(String(query?.startTime))).toBeGreaterThanOrEqual(before - 3 * day);
	expect(Date.parse(String(query?.startTime))).toBeLessThanOrEqual(Date.now() - 3 * day);
	expect(Date.parse(String(query?.endTime))).toBeGreaterThan(Date.now());
});

it('says what was searched when the call is not there', async () => {
	const { error } = await runner.run({ ...get, loadId: 'none' }, { items: [{ id: 987654321 }] });
	expect(error?.message).toContain(
		'Call 987654321 was not found among the 0 calls about load none of the last 30 days',
	);
	expect(error?.description).toContain('leave Load ID empty, or look back more days');
});

it('says so when the service did not return the full list', async () => {
	runner.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: { kind: 'total', value: 99_999 },
		times: 'always',
	});
	const { error } = await runner.run({ ...get, lookBackDays: 1 }, { items: [{ id: 987654321 }] });
	expect(error?.message).toContain('did not return the full list');
});

it('goes on with the others when one is not there', async () => {
	const [first] = await someCalls();
	const { output } = await runner.run(get, {
		items: [{ id: 987654321 }, { id: first?.id ?? 0 }],
		node: { onError: 'continueErrorOutput' },
	});
	expect(output(0)).toEqual([
		{ json: expect.objectContaining({ id: first?.id }), pairedItem: { item: 1 } },
	]);
	expect(output(1)).toEqual([
		expect.objectContaining({
			json: expect.objectContaining(failure(/Call 987654321 was not found/)),
		}),
	]);
});

it('finds a call that was placed this moment by a service whose clock is ahead', async () => {
	const createdAt = new Date(Date.now() + 60_000).toISOString();
	const [id] = runner.sandbox.insert({ createdAt });
	const { items, error } = await runner.run(get, { items: [{ id: id ?? 0 }] });
	expect(error).toBeUndefined();
	expect(items).toEqual([expect.objectContaining({ id })]);
});

it.each([
	"={{ '' }}",
	'abc',
	'1.5',
	'-3',
	'1e400',
	'={{ [5] }}',
	'={{ {} }}',
	'={{ null }}',
	'={{ true }}',
])('refuses the id %p', async (callId) => {
	const { error } = await runner.run({ ...get, callId });
	expect(error?.message).toMatch(/^Call ID (is required|must be)/);
	expect(runner.queries('listCalls')).toEqual([]);
});
