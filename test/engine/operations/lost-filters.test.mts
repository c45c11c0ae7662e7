import type { INodeParameters } from 'n8n-workflow';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

// An expression that finds nothing, such as a misspelled `$json.load`. n8n gives an empty value, as if
// the field had been left empty: the list would be of everything, and calls placed from it would ring
// strangers.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 50 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const lists = [
	['calls', { resource: 'call', operation: 'getAll' }, 'listCalls'],
	['bids', { resource: 'bid', operation: 'getAll' }, 'listBids'],
	['conversations', { resource: 'conversation', operation: 'getAll' }, 'listConversations'],
] as const;
const search = {
	resource: 'carrier',
	operation: 'search',
	origin: 'Chicago, IL',
	destination: 'Dallas, TX',
};
const lost = '={{ $json.missing }}';
const found = 'returned nothing, so the result would not be what was asked for';

describe.each(lists)('a filter of %s', (_what, list, endpoint) => {
	it.each<[string, INodeParameters]>([
		['Load ID', { loadId: lost }],
		['Load ID', { loadId: '={{ $json.missing?.deeper }}' }],
		['Load ID', { loadId: '={{ null }}' }],
		['Load ID', { loadId: "={{ $json.cell ?? '' }}" }],
		['Load ID', { loadId: '= {{ $json.missing }}' }],
		['MC Number', { mcNumber: lost }],
		['MC Number', { mcNumber: { __rl: true, mode: 'id', value: lost } }],
	])('%s is an error if its expression returns nothing: %j', async (label, filters) => {
		const { error } = await runner.run({ ...list, filters });
		expect(error?.message).toBe(`${label} is empty: its expression ${found}`);
		expect(error?.description).toContain('Nothing was sent');
		expect(runner.queries(endpoint)).toEqual([]);
	});

	it.each(['=LD-{{ $json.missing }}', "=LD-{{ $json.cell ?? '' }}", '=LD-{{ null }}{{ $json.a }}'])(
		'is an error if its expression adds nothing to a fixed text: %s',
		async (loadId) => {
			const { error } = await runner.run({ ...list, filters: { loadId } });
			expect(error?.message).toBe(
				'Load ID has only its fixed text because the expression returned nothing (it is "LD-")',
			);
			expect(runner.queries(endpoint)).toEqual([]);
		},
	);

	it('has its fixed text and what its expression found', async () => {
		const loadId = '=LD-{{ $json.load }}{{ $json.missing }}';
		await runner.run({ ...list, filters: { loadId } }, { items: [{ load: '48213' }] });
		expect(runner.queries(endpoint)).toMatchObject([{ loadId: 'LD-48213' }]);
	});

	it('may be left empty in the form', async () => {
		const mcNumber = { __rl: true, mode: 'list', value: '' };
		const { status } = await runner.run({ ...list, filters: { loadId: '', mcNumber } });
		expect(status).toBe('success');
		expect(runner.queries(endpoint)).toHaveLength(1);
	});

	it('may be left empty in the form with an expression that was never written', async () => {
		expect((await runner.run({ ...list, filters: { loadId: '=' } })).status).toBe('success');
	});

	it('is left out for some items by one expression for all filters', async () => {
		const filters = '={{ $json.load ? { loadId: $json.load } : {} }}';
		const items = [{ load: '48213' }, { load: '' }];
		expect((await runner.run({ ...list, filters }, { items })).status).toBe('success');
		expect(runner.queries(endpoint).map(({ loadId }) => loadId)).toEqual(['48213', undefined]);
	});

	it('is an error if that expression names it and finds nothing', async () => {
		const { error } = await runner.run({ ...list, filters: '={{ ({ loadId: $json.missing }) }}' });
		expect(error?.message).toBe(`Load ID is empty: its expression ${found}`);
	});
});

it('only the item without a value fails, with Continue on Fail', async () => {
	const filters = { loadId: '={{ $json.load }}' };
	const { output } = await runner.run(
		{ resource: 'call', operation: 'getAll', filters },
		{
			items: [{ load: '48213' }, {}, { load: '77001' }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(output(1).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(runner.queries('listCalls').map(({ loadId }) => loadId)).toEqual(['48213', '77001']);
});

it.each(['pickup', 'delivery'])("a conversation's %s filter is checked, too", async (end) => {
	const filters = { [end === 'pickup' ? 'origin' : 'destination']: lost };
	const { error } = await runner.run({ resource: 'conversation', operation: 'getAll', filters });
	expect(error?.message).toContain(found);
});

it.each<[string, INodeParameters]>([
	['Equipment Types', { equipmentTypes: lost }],
	['Equipment Types', { equipmentTypes: '={{ [] }}' }],
	['Other Equipment Types', { additionalFields: { otherEquipmentTypes: lost } }],
	['Radius (Miles)', { radius: lost }],
	['Limit', { limit: lost }],
])('carriers are not searched without %s: %j', async (label, parameters) => {
	const { error } = await runner.run({ ...search, ...parameters });
	expect(error?.message).toBe(`${label} is empty: its expression ${found}`);
	expect(runner.queries('searchCarriers')).toEqual([]);
});

it.each([', TX', 'Dallas,', 'undefined, TX', 'Dallas, undefined', 'null, null', ','])(
	'carriers are not searched on a lane that starts at %j',
	async (origin) => {
		const { error } = await runner.run({ ...search, origin });
		expect(error?.message).toContain('Origin must be a city and state, like Chicago, IL');
		expect(runner.queries('searchCarriers')).toEqual([]);
	},
);

it('a list is not of the last 24 hours because the expression of its time range found nothing', async () => {
	const range = { timeRange: lost, startTime: '2026-01-01' };
	const { error } = await runner.run({ resource: 'call', operation: 'getAll', ...range });
	expect(error?.message).toBe(`Time Range is empty: its expression ${found}`);
});

it('a range does not end now because the expression of its end found nothing', async () => {
	const range = { timeRange: 'custom', startTime: '2026-01-01', endTime: lost };
	const { error } = await runner.run({ resource: 'call', operation: 'getAll', ...range });
	expect(error?.message).toBe(`End is empty: its expression ${found}`);
});

describe('an agent', () => {
	const bids = { resource: 'bid', operation: 'getAll' };

	it.each<[INodeParameters['filters'], object]>([
		[{ loadId: "={{ $fromAI('load') }}" }, { load: '' }],
		["={{ $fromAI('filters', '', 'json') }}", { filters: { loadId: '' } }],
	])('may leave out what its model chooses: %j', async (filters, model) => {
		const { status } = await runner.runTool({ ...bids, filters }, { ...model });
		expect(status).toBe('success');
		expect(runner.queries('listBids')).toHaveLength(1);
	});

	it("learns that the workflow's own expression found nothing", async () => {
		const { error } = await runner.runTool({ ...bids, filters: { loadId: lost } });
		expect(error?.message).toContain(found);
	});
});

it('an MC number without digits is an error: a cell may have only "MC"', async () => {
	const { error } = await runner.run({
		...{ resource: 'bid', operation: 'getAll' },
		filters: { mcNumber: "={{ 'MC' }}" },
	});
	expect(error?.message).toBe('MC Number must contain a number (it is "MC")');
});
