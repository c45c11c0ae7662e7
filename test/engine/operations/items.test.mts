import { startNodeRunner, failure, type NodeRunner } from '../support/operations/node-runner.mts';

// What every operation does with its input items.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 50 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());
afterEach(() => jest.restoreAllMocks());

const search = {
	resource: 'carrier',
	operation: 'search',
	origin: 'Chicago, IL',
	destination: 'Dallas, TX',
};

it.each([
	[{ timeout: 0 }, 'Timeout (Seconds) must be 1 or more'],
	[{ timeout: 601 }, 'Timeout (Seconds) must be 600 or less'],
	[{ timeout: {} }, 'Timeout (Seconds) must be a number'],
])('the options %p are rejected', async (options, message) => {
	const { error } = await runner.run({ ...search, options });
	expect(error?.message).toContain(message);
	expect(runner.queries('searchCarriers')).toEqual([]);
});

it.each([
	[{ limit: 0 }, 'Limit must be 1 or more'],
	[{ limit: 2.5 }, 'Limit must be a whole number'],
	[{ limit: '={{ {} }}' }, 'Limit must be a number'],
	[{ returnAll: 'maybe' }, 'Return All must be true or false'],
	[{ output: 'none' }, 'Output must be one of simplified, all, selected'],
	[{ output: 'selected', selectedFields: '={{ [] }}' }, 'Fields needs at least one field'],
	[{ filters: { loadId: '={{ [1] }}' } }, 'Load ID must be text'],
	[{ filters: { mcNumber: 'x'.repeat(5000) } }, 'MC Number must be at most 200 characters'],
	[{ timeRange: '__proto__' }, 'Time Range must be one of'],
])('the list values %p are rejected', async (parameters, message) => {
	const { error } = await runner.run({ resource: 'bid', operation: 'getAll', ...parameters });
	expect(error?.message).toContain(message);
	expect(runner.queries('listBids')).toEqual([]);
});

it('a timeout is an error that says how long the node waited', async () => {
	runner.sandbox.faults.add({
		endpoint: 'searchCarriers',
		fault: { kind: 'hang', when: 'before' },
		times: 'always',
	});
	const { error } = await runner.run({ ...search, options: { timeout: 1, retryFor: 1 } });
	expect(error?.message).toContain('1 second');
});

it('a hint names the item it is about', async () => {
	runner.sandbox.faults.add({
		endpoint: 'searchCarriers',
		fault: { kind: 'body', body: { carriers: [], pagination: { total: 9 } } },
		times: 1,
	});
	const { hints } = await runner.run(search, { items: [{}, {}, {}] });
	expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(/^Row 1: .*9/)]);
});

it('of many hints, the number of those that are not shown is given', async () => {
	const body = { carriers: [], pagination: { total: 9 } };
	const fault = { kind: 'body' as const, body };
	runner.sandbox.faults.add({ endpoint: 'searchCarriers', fault, times: 'always' });
	const { hints } = await runner.run(search, { items: Array.from({ length: 13 }, () => ({})) });
	expect(hints).toHaveLength(11);
	expect(hints.at(-1)?.message).toBe('There are 3 more hints');
});

it("an expression's error is its item's error", async () => {
	const { output } = await runner.run(
		{ ...search, origin: '={{ $json.broken.load }}' },
		{
			items: [{ broken: { load: 'Chicago, IL' } }, { broken: null }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(output(1)).toHaveLength(1);
	expect(output(1)[0]?.json).toMatchObject(failure(/./));
});

it.each([
	{ resource: 'call', operation: 'erase' },
	{ resource: 'invoice', operation: 'getAll' },
	{ resource: '__proto__', operation: 'constructor' },
])('%p is not an operation', async (parameters) => {
	const { error } = await runner.run(parameters);
	expect(error?.message).toContain('There is no operation');
});

it('items for an operation that does not exist fail on the error output', async () => {
	const onError = 'continueErrorOutput';
	const run = await runner.run({ operation: 'erase' }, { items: [{}, {}], node: { onError } });
	expect(run.output(0)).toEqual([]);
	expect(run.output(1)).toMatchObject(Array(2).fill({ json: failure(/There is no operation/) }));
});
