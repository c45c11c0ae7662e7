import { startNodeRunner, failure, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner();
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const search = {
	resource: 'carrier',
	operation: 'search',
	origin: 'Chicago, IL',
	destination: 'Dallas, TX',
};

const answer = (carriers: unknown[], total = carriers.length) => {
	runner.sandbox.faults.add({
		endpoint: 'searchCarriers',
		fault: { kind: 'body', body: { carriers, pagination: { total } } },
	});
};

const lane = { origin: 'Joliet, IL', destination: 'Plano, TX', avgRate: '$1,900', totalBids: 3 };
const carrier = {
	mcNumber: '123456',
	dotNumber: 7,
	name: 'Blue Mesa Freight',
	address: 'Tulsa, OK',
};

it('sends only origin and destination when nothing else is given', async () => {
	const { status } = await runner.run(search);
	expect(status).toBe('success');
	expect(runner.queries('searchCarriers')).toEqual([
		{ origin: 'Chicago, IL', destination: 'Dallas, TX' },
	]);
});

it('sends every field in the form of the contract', async () => {
	await runner.run({
		...search,
		origin: 'Chicago il 60601',
		equipmentTypes: ['Van', 'Step Deck'],
		radius: 0,
		additionalFields: { otherEquipmentTypes: 'curtain van, VAN,, Curtain Van' },
	});
	expect(runner.queries('searchCarriers')).toEqual([
		{
			origin: 'Chicago, IL',
			destination: 'Dallas, TX',
			radius: '0',
			equipmentTypes: 'Van,Step Deck,curtain van',
		},
	]);
});

it('finds carriers in the sandbox, one item each', async () => {
	const { items } = await runner.run({ ...search, radius: 300 });
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) {
		expect(Object.keys(item)).toEqual([
			'name',
			'mcNumber',
			'dotNumber',
			'ruleAssessment',
			'fleetsize',
			'avgRate',
			'lanes',
		]);
	}
});

it('returns one item for each lane of each carrier when set to', async () => {
	answer([
		{ ...carrier, lanes: [lane, { ...lane, note: 'new' }] },
		{ mcNumber: '2', lanes: [] },
	]);
	const { output } = await runner.run({ ...search, itemPer: 'lane', output: 'all' });
	const flat = {
		...carrier,
		laneOrigin: 'Joliet, IL',
		laneDestination: 'Plano, TX',
		laneAvgRate: '$1,900',
		laneTotalBids: 3,
	};
	expect(output().map(({ json }) => json)).toEqual([
		flat,
		{ ...flat, laneNote: 'new' },
		{ mcNumber: '2' },
	]);
	expect(output().every(({ pairedItem }) => Object(pairedItem).item === 0)).toBe(true);
});

it.each([null, 'Chicago - Dallas', {}, [null, 'x', 7]])(
	'keeps a carrier whose lanes are %p',
	async (lanes) => {
		answer([{ ...carrier, lanes }]);
		const { items } = await runner.run({ ...search, itemPer: 'lane', output: 'all' });
		expect(items).toEqual([carrier]);
	},
);

it('All Fields keeps the lanes inside their carrier', async () => {
	answer([{ ...carrier, lanes: [lane] }]);
	const { items } = await runner.run({ ...search, output: 'all' });
	expect(items).toEqual([{ ...carrier, lanes: [lane] }]);
});

it('returns the lanes of a carrier when its lane fields are selected', async () => {
	answer([
		{ ...carrier, lanes: [lane, { origin: 'Gary, IN' }] },
		{ mcNumber: '2', lanes: null },
	]);
	const { items } = await runner.run({
		...search,
		output: 'selected',
		selectedFields: ['laneOrigin', 'laneAvgRate'],
	});
	expect(items).toEqual([
		{ laneOrigin: ['Joliet, IL', 'Gary, IN'], laneAvgRate: ['$1,900', null] },
		{ laneOrigin: [], laneAvgRate: [] },
	]);
});

it('returns the lanes with each lane when they are selected', async () => {
	answer([{ ...carrier, lanes: [lane] }]);
	const { items } = await runner.run({
		...search,
		itemPer: 'lane',
		output: 'selected',
		selectedFields: ['lanes', 'laneOrigin'],
	});
	expect(items).toEqual([{ lanes: [lane], laneOrigin: 'Joliet, IL' }]);
});

it("sends a state's code for its full name, and a Mexican state as typed", async () => {
	await runner.run({
		...search,
		origin: 'Chicago, Illinois',
		destination: 'Monterrey, Nuevo León',
	});
	expect(runner.queries('searchCarriers')).toEqual([
		{ origin: 'Chicago, IL', destination: 'Monterrey, Nuevo León' },
	]);
});

it.each([
	['Chicago, IL 60601', 'Chicago, IL'],
	['MCALLEN TX', 'MCALLEN, TX'],
	["O'FALLON, MO", "O'FALLON, MO"],
	['Nuevo Laredo, Tamps.', 'Nuevo Laredo, Tamps.'],
])('sends the place %p as %p', async (origin, sent) => {
	await runner.run({ ...search, origin });
	expect(runner.queries('searchCarriers').map((query) => query.origin)).toEqual([sent]);
});

it('returns up to the limit', async () => {
	const carriers = Array.from({ length: 60 }, (_, index) => ({ mcNumber: String(index) }));
	answer(carriers);
	answer(carriers);
	answer(carriers);
	expect((await runner.run(search)).items).toHaveLength(50);
	expect((await runner.run({ ...search, limit: 2 })).items).toHaveLength(2);
	expect((await runner.run({ ...search, returnAll: true })).items).toHaveLength(60);
});

it('hints at carriers that the service did not return', async () => {
	answer([carrier], 20);
	const { items, hints } = await runner.run(search);
	expect(items).toHaveLength(1);
	expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('20')]);
});

it('gives no hint about missing carriers when the limit was reached', async () => {
	runner.sandbox.faults.add({ endpoint: 'searchCarriers', fault: { kind: 'total', value: 300 } });
	const { items, hints } = await runner.run({
		...search,
		radius: 300,
		limit: 1,
	});
	expect(items).toHaveLength(1);
	expect(hints).toEqual([]);
});

it('returns nothing for a lane that no one runs', async () => {
	answer([]);
	const { status, items, hints } = await runner.run(search);
	expect({ status, items, hints }).toEqual({ status: 'success', items: [], hints: [] });
});

it('searches for each item, and continues when one of them fails', async () => {
	const { output } = await runner.run(
		{ ...search, origin: '={{ $json.from }}', radius: 400, limit: 1 },
		{
			items: [{ from: 'Chicago, IL' }, { from: '60601' }, { from: 'Memphis, TN' }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(runner.queries('searchCarriers').map(({ origin }) => origin)).toEqual([
		'Chicago, IL',
		'Memphis, TN',
	]);
	expect(output(0).map(({ pairedItem }) => Object(pairedItem).item)).toEqual([0, 2]);
	expect(output(1)[0]?.json).toMatchObject(failure(/^Origin must be a city and state.*"60601"/));
});

it.each([
	[{ origin: "={{ '' }}" }, 'Origin is required'],
	[{ origin: 'Chicago' }, 'Add the state: Chicago, IL, for example. Origin has none'],
	[{ destination: 'New York' }, 'Add the state: Dallas, TX, for example. Destination has none'],
	[{ destination: 'Port of LA' }, 'Add the state: Dallas, TX, for example. Destination has none'],
	[{ destination: '77001' }, 'Destination must be a city and state'],
	[{ destination: '={{ ["Dallas, TX"] }}' }, 'Destination must be text'],
	[{ radius: -1 }, 'Radius (Miles) must be 0 or more'],
	[{ radius: 'far' }, 'Radius (Miles) must be a number'],
	[{ equipmentTypes: '={{ [{}] }}' }, 'Equipment Types must be a list of text values'],
	[{ itemPer: 'bid' }, 'Return One Item Per must be one of carrier, lane'],
])('rejects %p before anything is sent', async (parameters, message) => {
	const { error } = await runner.run({ ...search, ...parameters });
	expect(error?.message).toContain(message);
	expect(runner.sandbox.ledger.requests()).toEqual([]);
});
