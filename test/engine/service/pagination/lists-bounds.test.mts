import { waitUntil } from '../../../support/wait-until.mts';
import { openLists, paging } from '../../support/service/list-reads.mts';
import { callsOf, listsOf } from '../../support/service/list-service.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';

const day = { startTime: '2026-03-05T06:00:00.000Z', endTime: '2026-03-06T05:59:59.999Z' };

/** Calls at both ends of the day, in the middle of it, and a millisecond outside. */
const times = [
	'2026-03-05T05:59:59.999Z',
	'2026-03-05T06:00:00.000Z',
	'2026-03-05T18:00:00.000Z',
	'2026-03-06T05:59:59.999Z',
	'2026-03-06T06:00:00.000Z',
];

describe.each(['inclusive', 'exclusive'] as const)(
	'from a service whose time bounds are %s',
	(bounds) => {
		describe.each(['newestFirst', 'oldestFirst'] as const)('and that lists %s', (order) => {
			const lists = openLists({ calls: 0, analyticsDays: 3, bounds, order });
			const { use } = lists;
			beforeEach(() => {
				for (const createdAt of times) lists.sandbox.insert({ createdAt });
			});
			const inside = times.slice(1, 4);
			const expected = order === 'oldestFirst' ? inside : inside.toReversed();

			it('a day includes its first and last millisecond, and nothing of the days next to it', async () => {
				const calls = await use(async (client) => client.readList('calls', day, paging()));
				expect(calls.result?.rows.map(({ createdAt }) => createdAt)).toEqual(expected);
				expect(calls.result?.hint).toBeUndefined();
				const conversations = await use(async (client) =>
					client.readList('conversations', day, paging()),
				);
				expect(conversations.result?.rows.map(({ createdAt }) => createdAt)).toEqual(expected);
				const bids = await use(async (client) => client.readList('bids', day, paging()));
				expect(bids.result?.rows.map(({ callDateTime }) => callDateTime)).toEqual(expected);
			});

			it.each([1, 2, 3, 4])('a limit of %i is filled', async (limit) => {
				const { result } = await use(async (client) =>
					client.readList('calls', day, paging({ limit })),
				);
				expect(result?.rows.map(({ createdAt }) => createdAt)).toEqual(expected.slice(0, limit));
				expect(result?.hint).toBeUndefined();
			});

			it.each([
				['2026-03-05', '2026-03-05'],
				['2026-03-05', '2026-03-06'],
				['2026-03-01', '2026-03-10'],
			])('analytics of %s to %s include each day once', async (startDate, endDate) => {
				const { result } = await use(async (client) => client.getAnalytics({ startDate, endDate }));
				const count = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 + 1;
				const days = result?.rows.map(({ date }) => String(date).slice(0, 10)) ?? [];
				expect(new Set(days).size).toBe(count);
				expect(days).toHaveLength(count);
				expect(days).toEqual(days.toSorted());
				expect([days[0], days.at(-1)]).toEqual([startDate, endDate]);
				expect(result?.hint).toBeUndefined();
			});
		});
	},
);

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
const read = listsOf(() => probe);

describe('a list of a service that reads the ends of a range in whole seconds', () => {
	const seconds = (ms: number, round: (seconds: number) => number) => 1000 * round(ms / 1000);

	it.each([
		['down', Math.floor, Math.floor],
		['up', Math.ceil, Math.ceil],
		['outward', Math.floor, Math.ceil],
	])('has nothing of the days next to it: rounded %s', async (_how, first, last) => {
		const rows = [
			...['2026-03-05T05:59:58.999Z', '2026-03-05T05:59:59Z', '2026-03-05T05:59:59.400Z'],
			...['2026-03-05T06:00:00.000Z', '2026-03-05T18:00:00.000Z', '2026-03-06T05:59:58.500Z'],
			...['2026-03-06T06:00:00Z', '2026-03-06T06:00:00.900Z', '2026-03-06T06:00:01.100Z'],
		].map((createdAt, id) => ({ id: id + 1, createdAt }));
		const { result } = await read(
			{
				rows,
				instead: ({ startTime, endTime }) => {
					const [from, to] = [seconds(startTime, first), seconds(endTime, last)];
					const times = rows.map((row) => ({ row, at: Date.parse(row.createdAt) }));
					const calls = times.filter(({ at }) => at >= from && at <= to).map(({ row }) => row);
					return { status: 200, body: { calls, pagination: { total: calls.length } } };
				},
			},
			{},
			day,
		);
		expect(result).toEqual({ rows: rows.slice(3, 6) });
	});
});

describe('a list of a service that limits the days of a range', () => {
	const limited = (status: number, words: object) => ({
		rows: callsOf(300),
		instead: ({ startTime, endTime }: { startTime: number; endTime: number }) =>
			endTime - startTime > 86_400_000 - 1 ? { status, body: words } : undefined,
	});

	it.each([
		[400, { message: 'The time range may be at most 1 day' }],
		[422, { message: 'The time range may be at most 1 day' }],
		[200, { success: false, message: 'The time range may be at most 1 day' }],
	])(
		'is read for exactly the given range after a rejection with status %i',
		async (status, words) => {
			const { result, requests } = await read(limited(status, words), {}, day);
			expect(result).toEqual({ rows: callsOf(300) });
			const [first, ...others] = requests.map(({ endTime, startTime }) => endTime - startTime);
			expect(first).toBe(86_400_000 + 1);
			expect(new Set(others)).toEqual(new Set([86_400_000 - 1]));
		},
	);

	it("fails with the service's words if that range is too long too, after two requests", async () => {
		const range = { ...day, endTime: '2026-03-07T05:59:59.999Z' };
		const { requests, ...probed } = await read(limited(400, { message: 'Too long' }), {}, range);
		expect(failureOf(probed).details.serviceMessage).toBe('Too long');
		expect(requests).toHaveLength(2);
	});
});

describe('a list of a service that refuses a time in its future', () => {
	const today = () => ({
		startTime: new Date(Date.now() - 3_600_000).toISOString(),
		endTime: new Date(Date.now() + 300_000).toISOString(),
	});
	/** Its clock is ahead of this one. */
	const strict = (aheadMs: number) => {
		const nowThere = () => Date.now() + aheadMs;
		return {
			rows: callsOf(300),
			headers: () => ({ Date: new Date(nowThere()).toUTCString() }),
			instead: ({ endTime }: { endTime: number }) =>
				endTime > nowThere() ? { status: 400, body: { message: 'In the future' } } : undefined,
		};
	};

	it.each([0, 60_000])('ends when the service answers, %i ms ahead', async (aheadMs) => {
		const { result, requests } = await read(strict(aheadMs), {}, today());
		expect(result).toEqual({ rows: callsOf(300) });
		const behindMs = Date.now() + aheadMs - Number(requests[1]?.endTime);
		expect(behindMs).toBeGreaterThanOrEqual(0);
		expect(behindMs).toBeLessThan(30_000);
	});

	it('is an error if it begins in the future too', async () => {
		const begins = { ...today(), startTime: new Date(Date.now() + 200_000).toISOString() };
		const probed = await read(strict(0), {}, begins);
		expect(failureOf(probed).details.serviceMessage).toBe('In the future');
	});
});

describe('analytics of a service', () => {
	const lists = openLists({ calls: 0, bounds: 'exclusive' });
	const { use } = lists;
	const range = { startDate: '2026-03-01', endDate: '2026-03-03' };

	it('that rejects the day after the range are returned as far as possible, with a hint', async () => {
		lists.sandbox.faults.add({
			endpoint: 'getAnalytics',
			fault: { kind: 'status', status: 400, message: 'endDate is in the future' },
			times: 'always',
			skip: 2,
		});
		const { result } = await use(async (client) => client.getAnalytics(range));
		expect(result?.rows.map(({ date }) => String(date).slice(0, 10))).toEqual([
			'2026-03-01',
			'2026-03-02',
		]);
		expect(result?.hint).toContain('returned no analytics for 2026-03-03');
	});

	it('that names days differently are returned as received', async () => {
		const data = [{ date: '2026-02-28T23:00:00Z' }, { date: '2026-03-01T23:00:00Z' }];
		lists.sandbox.faults.add({ endpoint: 'getAnalytics', fault: { kind: 'body', body: { data } } });
		const { result } = await use(async (client) => client.getAnalytics(range));
		expect(result).toEqual({ rows: data });
		expect(lists.sandbox.ledger.requests('getAnalytics')).toHaveLength(1);
	});

	it('can be stopped while a day at the end is requested', async () => {
		const stop = new AbortController();
		lists.sandbox.faults.add({
			endpoint: 'getAnalytics',
			fault: { kind: 'hang', when: 'before' },
			times: 'always',
			skip: 1,
		});
		const probed = await use(
			async (client) => {
				const read = client.getAnalytics(range);
				const asked = () => lists.sandbox.ledger.requests('getAnalytics').length;
				await waitUntil('the second request', () => asked() > 1);
				stop.abort();
				return await read;
			},
			{ signal: stop.signal },
		);
		expect(failureOf(probed).details.kind).toBe('cancelled');
	});
});
