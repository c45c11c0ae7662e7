import type { INodeParameters } from 'n8n-workflow';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

// A collection from one expression: n8n itself reads it as empty, so a list would be unfiltered.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 50 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const bids = { resource: 'bid', operation: 'getAll' };
const search = {
	resource: 'carrier',
	operation: 'search',
	origin: 'Chicago, IL',
	destination: 'Dallas, TX',
};

describe('filters from one expression', () => {
	it.each([
		['an object', "={{ ({ loadId: '48213', mcNumber: 'MC 738202' }) }}"],
		['an object of the item', '={{ $json.filters }}'],
	])('apply like those of the form: %s', async (_case, filters) => {
		const items = [{ filters: { loadId: '48213', mcNumber: 738202 } }];
		const { status } = await runner.run({ ...bids, filters }, { items });
		expect(status).toBe('success');
		const [query] = runner.queries('listBids');
		expect(query).toMatchObject({ loadId: '48213', mcNumber: '738202' });
	});

	it.each<{ filters: INodeParameters['filters'] }>([
		...[{ filters: '={{ $json.missing }}' }, { filters: '={{ null }}' }, { filters: "={{ '' }}" }],
		...[{ filters: "={{ [{ loadId: '48213' }] }}" }, { filters: ['48213'] }, { filters: '48213' }],
		{ filters: "={{ JSON.stringify({ loadId: '48213' }) }}" },
	])('are an error if they are not an object: %j', async ({ filters }) => {
		const { error } = await runner.run({ ...bids, filters });
		expect(error?.message).toMatch(/^[Ff]ilters must be an object/);
		expect(runner.queries('listBids')).toEqual([]);
	});

	it('are an error if a name is misspelled, because the list would not be filtered', async () => {
		const { error } = await runner.run({ ...bids, filters: "={{ ({ loadID: '48213' }) }}" });
		expect(error?.message).toBe('Filters has no field "loadID"; the fields are loadId, mcNumber');
		expect(runner.queries('listBids')).toEqual([]);
	});

	it('may leave out a filter', async () => {
		await runner.run({ ...bids, filters: '={{ ({}) }}' });
		const [query] = runner.queries('listBids');
		expect(Object.keys(query ?? {})).toEqual(['startTime', 'endTime', 'offset', 'limit']);
	});
});

it("another operation's filter, which the editor leaves behind, is ignored", async () => {
	const filters = { origin: 'Chicago, IL', loadId: '48213' };
	expect((await runner.run({ ...bids, filters })).status).toBe('success');
	const [query] = runner.queries('listBids');
	expect(query).toMatchObject({ loadId: '48213' });
	expect(query).not.toHaveProperty('origin');
});

it('an agent can fill in all filters in one field, and learns the names', async () => {
	const filters = "={{ $fromAI('filters', '', 'json') }}";
	await runner.runTool({ ...bids, filters }, { filters: { loadId: '48213' } });
	expect(runner.queries('listBids')).toMatchObject([{ loadId: '48213' }]);
	const { error } = await runner.runTool({ ...bids, filters }, { filters: { load: '48213' } });
	expect(error?.message).toContain('the fields are loadId, mcNumber');
});

it('additional fields from one expression apply', async () => {
	const additionalFields = "={{ ({ otherEquipmentTypes: 'Stretch RGN' }) }}";
	await runner.run({ ...search, additionalFields });
	const [query] = runner.queries('searchCarriers');
	expect(query).toMatchObject({ equipmentTypes: 'Stretch RGN' });
	const { error } = await runner.run({ ...search, additionalFields: '={{ ({ miles: 75 }) }}' });
	expect(error?.message).toContain('More Fields has no field "miles"');
});

it.each([
	['={{ ({ timeout: 0, retryFor: 10 }) }}', 'Timeout (Seconds) must be 1 or more'],
	['={{ ({ timeOut: 5 }) }}', 'Options has no field "timeOut"'],
	['={{ 5 }}', 'Options must be an object (it is 5)'],
])('options from one expression are checked: %s', async (options, message) => {
	const { error } = await runner.run({ ...bids, options });
	expect(error?.message).toContain(message);
	expect(runner.queries('listBids')).toEqual([]);
});
