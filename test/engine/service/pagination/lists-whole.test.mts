import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../../../../sandbox/index.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { always, openLists, paging } from '../../support/service/list-reads.mts';

const lists = openLists();
const { use, calls, offsets } = lists;

describe('a list', () => {
	it('is read in pages that overlap by one row, each requested once', async () => {
		const { result } = await calls();
		expect(result?.rows).toHaveLength(1000);
		expect(result?.hint).toBeUndefined();
		expect(offsets()).toEqual([0, 99, 198, 297, 396, 495, 594, 693, 792, 891, 990]);
	});

	it("keeps the service's order, whether its pages are read in sequence or in parallel", async () => {
		const one = await calls({ pagesInParallel: 1 });
		const many = await calls({ pagesInParallel: 8 });
		expect(many.result).toEqual(one.result);
	});

	it('requests as many pages in parallel as allowed', async () => {
		const stop = new AbortController();
		// After the first page, none comes until Stop.
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'latency', ms: 600_000 },
			times: 'always',
			skip: 1,
		});
		await use(
			async (client) => {
				const list = client.readList('calls', always, paging({ pagesInParallel: 7 }));
				await waitUntil('the first page and seven more', () => offsets().length >= 8);
				await wait(200);
				stop.abort();
				return await list;
			},
			{ signal: stop.signal, timeoutMs: 900_000 },
		);
		expect(offsets()).toHaveLength(8);
	});

	it('is read up to its limit, whatever the page size', async () => {
		for (const limit of [1, 99, 100, 101, 250]) {
			lists.sandbox.ledger.clear();
			const { result } = await calls({ limit });
			expect(result?.rows).toHaveLength(limit);
			expect(lists.sandbox.ledger.requests()).toHaveLength(Math.ceil(limit / 100));
		}
	});

	it('sends only the filters that were set', async () => {
		await use(async (client) =>
			client.readList(
				'conversations',
				{ ...always, loadId: '', origin: undefined },
				paging({ limit: 1 }),
			),
		);
		expect(lists.sandbox.ledger.requests()[0]?.query).toEqual({
			startTime: '1999-12-31T23:59:59.999Z',
			endTime: '2100-01-01T00:00:00.001Z',
			offset: '0',
			limit: '5',
		});
	});

	it('is complete when the service clamps its pages', async () => {
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'clampLimit', max: 30 },
			times: 'always',
		});
		const { result } = await calls();
		expect(new Set(result?.rows.map(({ id }) => id)).size).toBe(1000);
		expect(result?.hint).toBeUndefined();
	});

	it.each([...['missing', '1000', ' 1000 '], ...[null, '', true, 'many', -1, 1.5, {}, [1000]]])(
		'is complete when its total is %j',
		async (value) => {
			lists.sandbox.faults.add({
				endpoint: 'listCalls',
				fault: { kind: 'total', value },
				times: 'always',
			});
			const { result } = await calls();
			expect(result?.rows).toHaveLength(1000);
			expect(result?.hint).toBeUndefined();
		},
	);

	it('says both numbers when the service reports more than it returns', async () => {
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'total', value: 1200 },
			times: 'always',
		});
		const { result } = await calls();
		expect(result?.rows).toHaveLength(1000);
		expect(result?.hint).toContain('reports 1,200 records but returned 1,000');
		expect(lists.sandbox.ledger.requests().length).toBeLessThanOrEqual(4 * 13);
	});

	it('is complete when new calls push others to the next page meanwhile', async () => {
		const busy = await startSandbox({ calls: 500 });
		busy.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'insertMidWalk', count: 7 },
			times: 2,
			skip: 2,
		});
		const oldest = (await calls({ limit: 1 }, busy)).result?.rows.map(({ id }) => id) ?? [];
		const before = (await calls({ pagesInParallel: 1 }, busy)).result?.rows ?? [];
		const ids = before.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const after = (await calls({}, busy)).result?.rows ?? [];
		// Records added meanwhile may be missing, but none that existed before.
		const old = after.map(({ id }) => id).filter((id) => Number(id) <= Number(oldest.at(0)));
		expect(ids.filter((id) => old.includes(id))).toEqual(old);
		expect(old).toHaveLength(500);
		await busy.close();
	});

	it('of bids is complete when a page is repeated once', async () => {
		const whole = await use(async (client) => client.readList('bids', always, paging()));
		for (const skip of [1, 4, 9]) {
			lists.sandbox.faults.clear();
			lists.sandbox.faults.add({
				endpoint: 'listBids',
				fault: { kind: 'repeatPage' },
				times: 1,
				skip,
			});
			const { result } = await use(async (client) => client.readList('bids', always, paging()));
			expect(result).toEqual(whole.result);
		}
	});

	it('of bids is complete, or says that it may not be, when the service always repeats pages', async () => {
		const whole = await use(async (client) => client.readList('bids', always, paging()));
		lists.sandbox.ledger.clear();
		lists.sandbox.faults.add({
			endpoint: 'listBids',
			fault: { kind: 'repeatPage' },
			times: 'always',
		});
		const { result } = await use(async (client) => client.readList('bids', always, paging()));
		if (result?.hint === undefined) expect(result).toEqual(whole.result);
		expect(lists.sandbox.ledger.requests().length).toBeLessThan(100);
	});
});
