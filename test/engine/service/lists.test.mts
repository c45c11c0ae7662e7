import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import type { ServiceClient } from '../../../nodes/shared/service/client.ts';
import type { Paging } from '../../../nodes/shared/service/pagination/types.ts';
import { failureOf, startProbe, type Probe } from './probe.mts';

const always = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
const lane = { origin: 'Chicago, IL', destination: 'Dallas, TX' };

// The machine may be busy; what is measured below is orders of magnitude, not speed.
jest.setTimeout(60_000);

let probe: Probe;
let sandbox: Sandbox;

beforeAll(async () => {
	probe = await startProbe();
	sandbox = await startSandbox({ calls: 1000, analyticsDays: 20 });
});

afterAll(async () => {
	probe.close();
	await sandbox.close();
});

beforeEach(() => {
	sandbox.faults.clear();
	sandbox.ledger.clear();
});

const paging = (more: Partial<Paging> = {}): Paging => ({
	pageSize: 100,
	pagesInParallel: 4,
	onPageFailure: 'error',
	...more,
});

const use = async <Result,>(
	task: (client: ServiceClient) => Promise<Result>,
	more = {},
	service = sandbox,
) => await probe.run({ baseUrl: service.baseUrl, token: service.tokens.north, ...more }, task);

const calls = async (more: Partial<Paging> = {}, service = sandbox) =>
	await use(async (client) => client.listCalls(always, paging(more)), {}, service);

const offsets = (endpoint: 'listCalls' | 'listBids' = 'listCalls') =>
	sandbox.ledger
		.requests(endpoint)
		.map(({ query }) => Number(query['offset']))
		.sort((one, other) => one - other);

describe('a list', () => {
	it('is read in as many requests as it has pages, each asked for once', async () => {
		const { result } = await calls();
		expect(result?.rows).toHaveLength(1000);
		expect(result?.hint).toBeUndefined();
		expect(offsets()).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
	});

	it('comes in the order of the service, read one after another or at the same time', async () => {
		const one = await calls({ pagesInParallel: 1 });
		const many = await calls({ pagesInParallel: 8 });
		expect(many.result).toEqual(one.result);
	});

	it('asks for as many pages at the same time as it may', async () => {
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'latency', ms: 500 },
			times: 'always',
		});
		const { ms } = await calls({ pagesInParallel: 9 });
		// Ten pages one after another would take five seconds.
		expect(ms).toBeLessThan(4000);
		expect(ms).toBeGreaterThanOrEqual(990);
	});

	it('is read to its limit, however that relates to the page size', async () => {
		for (const limit of [1, 99, 100, 101, 250]) {
			sandbox.ledger.clear();
			const { result } = await calls({ limit });
			expect(result?.rows).toHaveLength(limit);
			expect(sandbox.ledger.requests()).toHaveLength(Math.ceil(limit / 100));
		}
	});

	it('leaves out of the request what was not given', async () => {
		await use(async (client) =>
			client.listConversations({ ...always, loadId: '', origin: undefined }, paging({ limit: 1 })),
		);
		expect(sandbox.ledger.requests()[0]?.query).toEqual({
			startTime: always.startTime,
			endTime: always.endTime,
			offset: '0',
			limit: '1',
		});
	});

	it('is whole when the service clamps its pages', async () => {
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'clampLimit', max: 30 },
			times: 'always',
		});
		const { result } = await calls();
		expect(new Set(result?.rows.map(({ id }) => id)).size).toBe(1000);
		expect(result?.hint).toBeUndefined();
	});

	it.each(['missing', '1000', ' 1000 '])('is whole when its total is %j', async (value) => {
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'total', value }, times: 'always' });
		const { result } = await calls();
		expect(result?.rows).toHaveLength(1000);
		expect(result?.hint).toBeUndefined();
	});

	it.each([null, '', true, 'many', -1, 1.5, {}, [1000]])(
		'takes the total %j for none',
		async (value) => {
			sandbox.faults.add({
				endpoint: 'listCalls',
				fault: { kind: 'total', value },
				times: 'always',
			});
			const { result } = await calls();
			expect(result?.rows).toHaveLength(1000);
			expect(result?.hint).toBeUndefined();
		},
	);

	it('says both numbers when the service reports more than it hands out', async () => {
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'total', value: 1200 },
			times: 'always',
		});
		const { result } = await calls();
		expect(result?.rows).toHaveLength(1000);
		expect(result?.hint).toContain('reports 1,200 records but handed out 1,000');
		expect(sandbox.ledger.requests().length).toBeLessThanOrEqual(4 * 13);
	});

	it('is whole when new calls push others to the next page while it is read', async () => {
		const busy = await startSandbox({ calls: 500 });
		busy.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'insertMidWalk', count: 7 },
			times: 2,
			skip: 2,
		});
		const before = (await calls({ pagesInParallel: 1 }, busy)).result?.rows ?? [];
		const ids = before.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const after = (await calls({}, busy)).result?.rows ?? [];
		expect(new Set(after.map(({ id }) => id))).toEqual(new Set(ids));
		expect(ids).toHaveLength(514);
		await busy.close();
	});

	it('of bids is whole when a page is repeated once', async () => {
		const whole = await use(async (client) => client.listBids(always, paging()));
		for (const skip of [1, 4, 9]) {
			sandbox.faults.clear();
			sandbox.faults.add({ endpoint: 'listBids', fault: { kind: 'repeatPage' }, times: 1, skip });
			const { result } = await use(async (client) => client.listBids(always, paging()));
			expect(result).toEqual(whole.result);
		}
	});

	it('of bids says so when the service repeats pages for ever', async () => {
		sandbox.faults.add({ endpoint: 'listBids', fault: { kind: 'repeatPage' }, times: 'always' });
		const { result } = await use(async (client) => client.listBids(always, paging()));
		expect(result?.hint).toBeDefined();
		expect(sandbox.ledger.requests().length).toBeLessThan(100);
	});

	it('ends at once when the user presses Stop', async () => {
		const stop = new AbortController();
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'latency', ms: 5000 },
			times: 'always',
		});
		setTimeout(() => stop.abort(), 300);
		const probed = await use(
			async (client) => client.listCalls(always, paging({ onPageFailure: 'partial' })),
			{ signal: stop.signal },
		);
		expect(failureOf(probed).details.kind).toBe('cancelled');
		expect(probed.ms).toBeLessThan(4500);
		expect(offsets()).toEqual([0]);
	});

	it('asks for fewer pages at the same time after 429, and is whole', async () => {
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 429, retryAfter: 0 },
			times: 3,
			skip: 2,
		});
		const { result } = await calls({ pagesInParallel: 8 });
		expect(result?.rows).toHaveLength(1000);
		expect(sandbox.ledger.requests()).toHaveLength(13);
	});

	it('names the page that failed', async () => {
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 500, message: 'database is down' },
			times: 'always',
			skip: 5,
		});
		const failure = failureOf(await calls({ pagesInParallel: 1 }));
		expect(failure.details).toMatchObject({
			status: 500,
			page: 'records 501 to 600',
			serviceMessage: 'database is down',
		});
	});

	it('is handed out up to the page that failed when that is wanted, and says where it stopped', async () => {
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 500 },
			times: 'always',
			skip: 5,
		});
		const { result } = await calls({ pagesInParallel: 1, onPageFailure: 'partial' });
		expect(result?.rows).toHaveLength(500);
		expect(result?.hint).toBe(
			'Only the first 500 of 1,000 records were read: the page with records 501 to 600 failed. The service has a problem of its own (status 500).',
		);
	});

	it('fails when not even its first page can be read', async () => {
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'html' }, times: 'always' });
		const failure = failureOf(await calls({ onPageFailure: 'partial' }));
		expect(failure.message).toBe('The service answered with a web page instead of data');
	});
});

describe('looking for a call', () => {
	it('reads no further than needed', async () => {
		const { result } = await calls({ limit: 250 });
		const wanted = result?.rows[249]?.['id'];
		sandbox.ledger.clear();
		const found = await use(async (client) =>
			client.findCall(always, ({ id }) => id === wanted, 100),
		);
		expect(found.result?.call?.['id']).toBe(wanted);
		expect(offsets()).toEqual([0, 100, 200]);
	});

	it('says how many calls it looked at, and whether they were all', async () => {
		const search = async () =>
			(await use(async (client) => client.findCall(always, () => false))).result;
		expect(await search()).toEqual({ searched: 1000, complete: true });
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'total', value: 1001 },
			times: 'always',
		});
		expect(await search()).toEqual({ searched: 1000, complete: false });
	});

	it('does not take a repeated page for the end', async () => {
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'repeatPage' }, times: 'always' });
		const { result } = await use(async (client) => client.findCall(always, () => false, 100));
		expect(result).toEqual({ searched: 100, complete: false });
	});
});

describe('carriers', () => {
	it('come as they are, with a hint when the service reports more', async () => {
		const whole = await use(async (client) => client.searchCarriers(lane));
		expect(whole.result?.hint).toBeUndefined();
		sandbox.faults.add({ endpoint: 'searchCarriers', fault: { kind: 'total', value: 4321 } });
		const { result } = await use(async (client) => client.searchCarriers(lane));
		expect(result?.rows).toEqual(whole.result?.rows);
		expect(result?.hint).toContain('reports 4,321 carriers');
	});
});

describe('analytics', () => {
	const range = { startDate: '2026-01-01', endDate: '2026-03-31' };

	it('of a range with more days than the service hands out at once come whole, by date', async () => {
		const { result } = await use(async (client) => client.getAnalytics(range));
		const dates = result?.rows.map(({ date }) => String(date).slice(0, 10)) ?? [];
		expect(dates).toHaveLength(90);
		expect(dates[0]).toBe('2026-01-01');
		expect(dates.at(-1)).toBe('2026-03-31');
		expect(dates.toSorted()).toEqual(dates);
		expect(new Set(dates).size).toBe(90);
		expect(result?.hint).toBeUndefined();
	});

	it('say so when the service reports more than it ever hands out, in bounded requests', async () => {
		sandbox.faults.add({
			endpoint: 'getAnalytics',
			fault: { kind: 'total', value: 5000 },
			times: 'always',
		});
		const { result } = await use(async (client) => client.getAnalytics(range));
		expect(result?.hint).toContain('5,000');
		expect(result?.rows).toHaveLength(20);
		expect(sandbox.ledger.requests()).toHaveLength(3);
	});

	it('of a short range take one request', async () => {
		const { result } = await use(async (client) =>
			client.getAnalytics({ startDate: '2026-01-01', endDate: '2026-01-10', metric: 'total_bids' }),
		);
		expect(result?.rows).toHaveLength(10);
		expect(sandbox.ledger.requests().map(({ query }) => query)).toEqual([
			{ startDate: '2026-01-01', endDate: '2026-01-10', metric: 'total_bids' },
		]);
	});
});
