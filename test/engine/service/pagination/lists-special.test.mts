import { always, openLists } from '../../support/service/list-reads.mts';

const lane = { origin: 'Chicago, IL', destination: 'Dallas, TX' };

const lists = openLists();
const { use, calls, offsets } = lists;

/** From now on, the service returns 100 calls at a time. */
function shortPages(): void {
	const fault = { kind: 'clampLimit', max: 100 } as const;
	lists.sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
}

describe('looking for a call', () => {
	it('reads only as far as needed', async () => {
		const { result } = await calls({ limit: 250 });
		const wanted = result?.rows[249]?.['id'];
		lists.sandbox.ledger.clear();
		shortPages();
		const walk = await use(async (client) => client.walkCalls(always, ({ id }) => id === wanted));
		expect(walk.result?.complete).toBe(true);
		expect(offsets()).toEqual([0, 99, 198]);
	});

	it('says how many calls it checked, and whether that was all of them', async () => {
		const search = async () =>
			(await use(async (client) => client.walkCalls(always, () => false))).result;
		expect(await search()).toEqual({ searched: 1000, complete: true });
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'total', value: 1001 },
			times: 'always',
		});
		expect(await search()).toEqual({ searched: 1000, complete: false });
	});

	it('keeps reading past repeated pages', async () => {
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'repeatPage' },
			times: 'always',
		});
		shortPages();
		const { result } = await use(async (client) => client.walkCalls(always, () => false));
		expect(result).toEqual({ searched: 1000, complete: true });
	});
});

describe('carriers', () => {
	it('are returned as they are, with a hint when the service reports more', async () => {
		const whole = await use(async (client) => client.searchCarriers(lane));
		expect(whole.result?.hint).toBeUndefined();
		lists.sandbox.faults.add({ endpoint: 'searchCarriers', fault: { kind: 'total', value: 4321 } });
		const { result } = await use(async (client) => client.searchCarriers(lane));
		expect(result?.rows).toEqual(whole.result?.rows);
		expect(result?.hint).toContain('reports 4,321 carriers');
	});
});

describe('analytics', () => {
	const range = { startDate: '2026-01-01', endDate: '2026-03-31' };

	it('for more days than the service returns at once are complete, by date', async () => {
		const { result } = await use(async (client) => client.getAnalytics(range));
		const dates = result?.rows.map(({ date }) => String(date).slice(0, 10)) ?? [];
		expect(dates).toHaveLength(90);
		expect(dates[0]).toBe('2026-01-01');
		expect(dates.at(-1)).toBe('2026-03-31');
		expect(dates.toSorted()).toEqual(dates);
		expect(new Set(dates).size).toBe(90);
		expect(result?.hint).toBeUndefined();
	});

	it('say when the service reports more than it ever returns, with a bounded number of requests', async () => {
		lists.sandbox.faults.add({
			endpoint: 'getAnalytics',
			fault: { kind: 'total', value: 5000 },
			times: 'always',
		});
		const { result } = await use(async (client) => client.getAnalytics(range));
		expect(result?.hint).toContain('5,000');
		expect(result?.rows).toHaveLength(20);
		expect(lists.sandbox.ledger.requests()).toHaveLength(3);
	});

	it('for a short range take one request', async () => {
		const { result } = await use(async (client) =>
			client.getAnalytics({ startDate: '2026-01-01', endDate: '2026-01-10', metric: 'total_bids' }),
		);
		expect(result?.rows).toHaveLength(10);
		expect(lists.sandbox.ledger.requests().map(({ query }) => query)).toEqual([
			{ startDate: '2026-01-01', endDate: '2026-01-10', metric: 'total_bids' },
		]);
	});
});
