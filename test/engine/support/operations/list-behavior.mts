import type { EndpointName } from '../../../../sandbox/index.mts';
import { shortBackoffs } from '../../../support/pauses.mts';
import { startNodeRunner, failure, type NodeRunner } from './node-runner.mts';

export interface ListOperation {
	resource: string;
	operation: string;
	endpoint: EndpointName;
	/** A field of every row, and the load that it names. */
	key: string;
	loadOf(row: Record<string, unknown>): unknown;
}

/** What conversations, calls and bids have in common, shown with one of them. */
export function behavesLikeList({ endpoint, key, loadOf, ...base }: ListOperation): void {
	let runner: NodeRunner;
	beforeAll(async () => {
		runner = await startNodeRunner({ calls: 2000 });
	});
	afterAll(() => runner.close());
	beforeEach(() => runner.reset());
	afterEach(() => jest.restoreAllMocks());

	/** The service returns pages of this size, regardless of the request. */
	const pagesOf = (max: number) =>
		runner.sandbox.faults.add({ endpoint, fault: { kind: 'clampLimit', max }, times: 'always' });

	const custom = {
		...base,
		timeRange: 'custom',
		startTime: '2020-01-01T00:00:00',
		endTime: '2020-01-02T12:00:00',
	};

	it('sends only the time range, the filters and the page', async () => {
		const { status } = await runner.run({
			...custom,
			filters: { loadId: ' 48213 ', mcNumber: '123456' },
		});
		expect(status).toBe('success');
		expect(runner.queries(endpoint)).toEqual([
			{
				startTime: '2020-01-01T05:59:59.999Z',
				endTime: '2020-01-02T18:00:00.001Z',
				loadId: '48213',
				mcNumber: '123456',
				offset: '0',
				limit: '50',
			},
		]);
	});

	it.each([
		'MC738202',
		'MC-738202',
		'mc 738202',
		'MC# 738202',
		'MC No. 738202',
		'#738202',
		'738202',
	])('sends the digits of the MC number %p', async (mcNumber) => {
		await runner.run({ ...custom, filters: { mcNumber } });
		expect(runner.queries(endpoint)).toEqual([expect.objectContaining({ mcNumber: '738202' })]);
	});

	it('omits empty filters', async () => {
		await runner.run({ ...custom, returnAll: true, filters: { loadId: '', mcNumber: '  ' } });
		expect(runner.queries(endpoint)).toEqual([
			{
				startTime: '2020-01-01T05:59:59.999Z',
				endTime: '2020-01-02T18:00:00.001Z',
				offset: '0',
				limit: '500',
			},
		]);
	});

	it('returns no items and no error for an empty list', async () => {
		const { status, items, hints } = await runner.run(custom);
		expect(status).toBe('success');
		expect(items).toEqual([]);
		expect(hints).toEqual([]);
	});

	it('returns up to the limit, or everything with Return All', async () => {
		pagesOf(40);
		const wide = { ...base, timeRange: 'last30Days' };
		const all = await runner.run({ ...wide, returnAll: true });
		expect(all.items.length).toBeGreaterThan(80);
		expect(all.hints).toEqual([]);
		const some = await runner.run({ ...wide, limit: 60 });
		expect(some.items).toEqual(all.items.slice(0, 60));
		const fifty = await runner.run(wide);
		expect(fifty.items).toHaveLength(50);
	});

	it('returns the newest records of a service whose clock is 20 seconds ahead', async () => {
		const createdAt = new Date(Date.now() + 20_000).toISOString();
		runner.sandbox.insert({ createdAt });
		const { items } = await runner.run({ ...base, timeRange: 'last24Hours', output: 'all' });
		const times = items.map((row) => row.createdAt ?? row.callDateTime);
		expect(times[0]).toBe(createdAt);
	});

	it('pairs each row with the item that requested it', async () => {
		const found = await runner.run({ ...base, timeRange: 'last30Days', limit: 30 });
		const loads = [...new Set(found.items.map((row) => String(loadOf(row)).split(',')[0] ?? ''))]
			.filter((load) => load !== '')
			.slice(0, 2);
		expect(loads).toHaveLength(2);
		const { output } = await runner.run(
			{
				...base,
				timeRange: 'last30Days',
				returnAll: true,
				filters: { loadId: '={{ $json.load }}' },
			},
			{ items: [{ load: loads[0] ?? '' }, { load: 'no such load' }, { load: loads[1] ?? '' }] },
		);
		const rows = output();
		expect(new Set(rows.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
			new Set(['{"item":0}', '{"item":2}']),
		);
		for (const { json, pairedItem } of rows) {
			const load = Object(pairedItem).item === 0 ? loads[0] : loads[1];
			expect(String(loadOf(json))).toContain(load);
		}
	});

	describe('when one of three items fails', () => {
		const failing = {
			...base,
			timeRange: 'last30Days',
			limit: 1,
			filters: '={{ $json.mcNumber ? { mcNumber: $json.mcNumber } : {} }}',
		};
		const items = [{ mcNumber: '' }, { mcNumber: ['wrong'] }, { mcNumber: null }];
		const error = /^MC Number must be text \(it is \["wrong"\]\)$/;

		it('stops there, and says which item it was', async () => {
			const run = await runner.run(failing, { items });
			expect(run.status).toBe('error');
			expect(run.error).toMatchObject({
				message: expect.stringMatching(error),
				context: { itemIndex: 1 },
			});
			expect(runner.queries(endpoint)).toHaveLength(1);
		});

		it('continues, with the failed item among the others', async () => {
			const node = { onError: 'continueRegularOutput' as const };
			const { output, status } = await runner.run(failing, { items, node });
			expect(status).toBe('success');
			expect(output()).toEqual([
				{ json: expect.objectContaining({ [key]: expect.anything() }), pairedItem: { item: 0 } },
				expect.objectContaining({ json: failure(error), pairedItem: { item: 1 } }),
				{ json: expect.objectContaining({ [key]: expect.anything() }), pairedItem: { item: 2 } },
			]);
		});

		it('continues, with the failed item at the error output', async () => {
			const node = { onError: 'continueErrorOutput' as const };
			const { output } = await runner.run(failing, { items, node });
			expect(output(0).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
			expect(output(1)).toEqual([
				expect.objectContaining({ json: expect.objectContaining(failure(error)) }),
			]);
		});
	});

	it("is an error that names the page if a page can't be read", async () => {
		shortBackoffs();
		runner.sandbox.faults.add({
			endpoint,
			fault: { kind: 'status', status: 500 },
			times: 'always',
		});
		const { status, error, items } = await runner.run({ ...base, timeRange: 'last30Days' });
		expect(status).toBe('error');
		expect(items).toEqual([]);
		expect(error?.message).toContain('500');
	});

	it('shows a hint if the list is incomplete', async () => {
		runner.sandbox.faults.add({
			endpoint,
			fault: { kind: 'total', value: 99_999 },
			times: 'always',
		});
		const { items, hints } = await runner.run({
			...base,
			timeRange: 'last30Days',
			returnAll: true,
		});
		expect(items.length).toBeGreaterThan(0);
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toContain('99,999');
	});
}
