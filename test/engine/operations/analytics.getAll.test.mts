import { ANALYTICS_METRICS } from '../../../nodes/shared/service/contract.ts';
import { startNodeRunner, failure, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ analyticsDays: 10 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const report = { resource: 'analytics', operation: 'getAll' };
const lastDays = {
	...report,
	timeRange: 'custom',
	startDate: '={{ $today.minus({ days: 2 }) }}',
	endDate: '={{ $today }}',
};
const march = {
	...report,
	timeRange: 'custom',
	startDate: '2026-03-01',
	endDate: '2026-03-01',
};

const metrics = { totalCalls: 8, newMetric: 1 };
const answer = (data: unknown[]) => {
	runner.sandbox.faults.add({
		endpoint: 'getAnalytics',
		fault: { kind: 'body', body: { data, pagination: { total: data.length } } },
		times: 'always',
	});
};

it('returns one item for each day, with its metrics next to the date', async () => {
	const { items, output } = await runner.run(lastDays);
	expect(items).toHaveLength(3);
	for (const item of items) {
		expect(Object.keys(item).sort()).toEqual([
			'acceptedBids',
			'averageCallDuration',
			'date',
			'successfulCalls',
			'totalBids',
			'totalCalls',
		]);
	}
	expect(output().every(({ pairedItem }) => Object(pairedItem).item === 0)).toBe(true);
});

it('keeps a metric unknown to this package', async () => {
	answer([{ date: '2026-03-01', metrics }]);
	expect((await runner.run(march)).items).toEqual([{ date: '2026-03-01', ...metrics }]);
});

it("keeps a metric that is named like another record's column", async () => {
	const others = { avgRate: '1,850', status: 'final', loads: 12, toPhone: 3 };
	answer([{ date: '2026-03-01', metrics: { totalCalls: 8, ...others } }]);
	expect((await runner.run(march)).items).toEqual([
		{ date: '2026-03-01', totalCalls: 8, ...others },
	]);
});

it('All Fields leaves the metrics where the service puts them', async () => {
	answer([{ date: '2026-03-01', metrics, extra: true }]);
	const { items } = await runner.run({ ...march, output: 'all' });
	expect(items).toEqual([{ date: '2026-03-01', metrics, extra: true }]);
});

it('Selected Fields returns the chosen metrics', async () => {
	answer([{ date: '2026-03-01', metrics }]);
	const { items } = await runner.run({
		...march,
		output: 'selected',
		selectedFields: ['date', 'totalCalls'],
	});
	expect(items).toEqual([{ date: '2026-03-01', totalCalls: 8 }]);
});

it.each([
	[null, {}],
	[undefined, {}],
	[42, { metrics: 42 }],
	[['a', { b: 1 }], { metrics: 'a, {"b":1}' }],
])('keeps a day whose metrics are %p', async (other, shown) => {
	answer([{ date: '2026-03-01', metrics: other }]);
	const { items } = await runner.run(march);
	expect(items).toEqual([{ date: '2026-03-01', ...shown }]);
});

it.each(ANALYTICS_METRICS)('requests the metric %s', async (metric) => {
	await runner.run({ ...report, timeRange: 'today', metric });
	expect(runner.queries('getAnalytics')).toEqual([
		{ startDate: expect.any(String), endDate: expect.any(String), metric },
	]);
});

it('returns no items when there is nothing', async () => {
	answer([]);
	const { status, items } = await runner.run(march);
	expect({ status, items }).toEqual({ status: 'success', items: [] });
});

it('reports for each item, and continues when one of them fails', async () => {
	const { output } = await runner.run(
		{ ...lastDays, metric: '={{ $json.metric }}' },
		{
			items: [{ metric: 'total_bids' }, { metric: 'profit' }, { metric: '' }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(runner.queries('getAnalytics').map(({ metric }) => metric)).toEqual([
		'total_bids',
		undefined,
	]);
	expect(new Set(output(0).map(({ pairedItem }) => Object(pairedItem).item))).toEqual(
		new Set([0, 2]),
	);
	expect(output(1)[0]?.json).toMatchObject(failure(/^Metric must be one of average_rate/));
});
