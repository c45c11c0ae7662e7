import type { JsonObject } from '../../../nodes/shared/service/json.ts';
import { shortBackoffs } from '../../support/pauses.mts';
import { readList } from '../../../nodes/shared/service/list.ts';
import { getAnalytics } from '../../../nodes/shared/service/wholeLists.ts';
import { answering, withServer } from '../support/service/answering-server.mts';
import { always } from '../support/service/list-reads.mts';
import { callsOf, listsOf } from '../support/service/list-service.mts';
import { failureOf, startProbe, type Probe } from '../support/service/probe.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

const read = listsOf(() => probe);
const idsOf = (rows: JsonObject[] = []) => rows.map(({ id }) => id);
const isoOf = (ms: number) => new Date(ms).toISOString();

/** Calls with a time each, newest first. */
const callsAt = (times: number[]): JsonObject[] =>
	times.map((ms, index) => ({ id: times.length - index, createdAt: isoOf(ms) }));
const timeOf = (row: JsonObject) => Date.parse(String(row['createdAt']));

describe('a list of 1,234 records, returned 100 at a time,', () => {
	const rows = callsOf(1234);
	const whole = { hint: undefined, complete: true };

	it.each([
		['the right total', undefined],
		['a total of only the page', ({ page }) => ({ limit: 100, total: page.length })],
		['a total of 0', () => ({ limit: 100, total: 0 })],
		['no total', () => ({ limit: 100 })],
		['nothing', () => undefined],
	] satisfies Array<[string, Parameters<typeof read>[0]['pagination']]>)(
		'is whole and in order if the service reports %s',
		async (_what, pagination) => {
			const { result } = await read({ rows, ...(pagination && { pagination }) });
			expect(idsOf(result?.rows)).toEqual(idsOf(rows));
			expect({ hint: result?.hint, complete: result?.complete }).toEqual(whole);
		},
	);

	it('is whole with bids, which have no IDs and may be equal', async () => {
		const bids = Array.from({ length: 1234 }, (_, nth) => ({ amount: nth >> 1 }));
		const { result } = await read({ rows: bids }, { bids: true });
		expect(result?.rows).toEqual(bids);
		expect(result?.complete).toBe(true);
	});

	it('is returned with both numbers in a hint if the service reports more', async () => {
		const { result } = await read({ rows, pagination: () => ({ limit: 100, total: 1300 }) });
		expect(idsOf(result?.rows)).toEqual(idsOf(rows));
		expect(result?.complete).toBe(false);
		expect(result?.hint).toContain('reports 1,300 records but returned 1,234');
	});

	it('has all of them if records are added while it is read', async () => {
		const growing = [...rows];
		let added = 1234;
		const { result } = await read({
			rows: growing,
			before: (number, list) => {
				if (number > 0 && number < 6)
					for (let nth = 0; nth < 7; nth++) list.unshift({ id: ++added });
			},
		});
		const ids = idsOf(result?.rows);
		expect(ids).toEqual(expect.arrayContaining(idsOf(rows)));
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is an error that names the page that failed and how many records were read before it', async () => {
		const failed = failureOf(
			await read({
				rows,
				instead: ({ offset }) =>
					offset >= 400 ? { status: 500, body: { message: 'Disk full' } } : undefined,
			}),
		);
		expect(failed.details.page).toMatch(/^records 4\d\d to 5\d\d$/);
		expect(failed.details.advice).toMatch(/\. [1-4]\d\d records were read before it$/);
		expect(failed.details.serviceMessage).toBe('Disk full');
	});
});

describe('a list that never ends', () => {
	it('is read up to 200,000 records, and a hint says what to do', async () => {
		let next = 0;
		const { result, requests } = await read({
			rows: [],
			pagination: () => ({ limit: 500 }),
			instead: ({ number }) => {
				// The last record of a page is the first of the next one, as in a list that is long.
				if (number > 0) next--;
				const calls = Array.from({ length: 5000 }, () => ({ id: ++next }));
				return { status: 200, body: { calls, pagination: { limit: 5000 } } };
			},
		});
		expect(result?.complete).toBe(false);
		expect(result?.hint).toMatch(/did not end after 2\d\d,\d{3} records/);
		expect(result?.hint).toContain('Choose a shorter time range');
		expect(requests.length).toBeLessThan(200);
	});

	it.each([
		['256 MB', 30_000_000, 9],
		['2,000 pages', 100, 2000],
	])('is read up to %s, in pages of one record each', async (_what, length, most) => {
		let requests = 0;
		const result = await readList({
			...{ range: always, hasIds: true },
			readPage: async (_range, { offset }) => {
				requests++;
				return { rows: [{ id: offset + 1 }], total: undefined, appliedLimit: 1, length };
			},
		});
		expect(result.complete).toBe(false);
		expect(result.hint).toBe(
			`The list did not end after ${most.toLocaleString('en-US')} records, so it was not read further. Choose a shorter time range.`,
		);
		expect(requests).toBeLessThan(most + 20);
	});

	it('has pages whose length is known', async () => {
		const body = JSON.stringify({ calls: [{ id: 1 }] });
		await withServer(answering(200, body), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl }, async (client) =>
				client.readListPage('calls', always, { offset: 0, limit: 500 }),
			);
			expect(result?.length).toBe(body.length);
		});
	});

	it('is given up if every page has other records', async () => {
		let next = 0;
		const { result, requests } = await read({
			rows: [],
			instead: () => {
				const calls = Array.from({ length: 100 }, () => ({ id: ++next }));
				return { status: 200, body: { calls, pagination: { limit: 100, total: 1e12 } } };
			},
		});
		expect(result?.complete).toBe(false);
		expect(result?.hint).toMatch(/did not end|reports|moved/);
		expect(requests.length).toBeLessThan(5000);
	});
});

describe('a list up to now', () => {
	const now = Date.now();
	const range = { startTime: isoOf(now - 3 * 3_600_000), endTime: isoOf(now + 300_000) };

	it("has the newest records if the service's clock is ahead, by minutes or by an hour", async () => {
		for (const ahead of [120_000, 240_000, 3_600_000]) {
			const rows = callsAt(Array.from({ length: 250 }, (_, nth) => now + ahead - nth * 1000));
			const headers = () => ({ Date: new Date(now + ahead).toUTCString() });
			const { result } = await read({ rows, timeOf, headers }, {}, range);
			expect(idsOf(result?.rows)).toEqual(idsOf(rows));
			expect(result?.complete).toBe(true);
		}
	});

	it.each([
		['two minutes ahead', 120_000, true],
		['two minutes ahead, and says another time', 120_000, false],
		['an hour ahead', 3_600_000, true],
	])(
		'has the newest records if it is in no order, or oldest first: %s',
		async (_what, ahead, saysSo) => {
			const headers = () => ({ Date: new Date(now + (saysSo ? ahead : 0)).toUTCString() });
			for (const apart of [1000, 30_000]) {
				const oldestFirst = Array.from(
					{ length: 250 },
					(_, nth) => now + ahead - (249 - nth) * apart,
				);
				const inNoOrder = oldestFirst.map((_, nth) => oldestFirst[(nth * 101) % 250] ?? 0);
				for (const times of [inNoOrder, oldestFirst]) {
					const { result } = await read({ rows: callsAt(times), timeOf, headers }, {}, range);
					expect(result?.rows).toHaveLength(250);
					expect(result?.complete).toBe(true);
				}
			}
		},
	);
});

describe('the bounds of a list', () => {
	const range = { startTime: '2026-03-02T00:00:00.000Z', endTime: '2026-03-03T00:00:00.000Z' };
	const [start, end] = [Date.parse(range.startTime), Date.parse(range.endTime)];
	const inside = (rows: JsonObject[], from: number, to: number) => ({
		calls: rows.filter((row) => timeOf(row) > from && timeOf(row) < to),
		pagination: { limit: 100 },
	});
	const rows = callsAt([end + 1000, end, start + 5, start, start - 1000]);

	it('are part of it, also of a service that excludes them', async () => {
		const { result } = await read(
			{
				rows,
				instead: ({ startTime, endTime }) => ({
					status: 200,
					body: inside(rows, startTime, endTime),
				}),
			},
			{},
			range,
		);
		expect(idsOf(result?.rows)).toEqual([4, 3, 2]);
	});
});

it('a list up to now ends now if the service refuses a time in its future', async () => {
	const now = Date.now();
	const rows = callsAt([now - 1000, now - 2000]);
	const { result } = await read(
		{
			rows,
			timeOf,
			instead: ({ endTime }) =>
				endTime > Date.now() + 1
					? { status: 400, body: { message: 'No calls of the future' } }
					: undefined,
		},
		{},
		{ startTime: isoOf(now - 3_600_000), endTime: isoOf(now + 300_000) },
	);
	expect(idsOf(result?.rows)).toEqual([2, 1]);
});

describe('a page that fails', () => {
	it.each([429, 500, 502, 503, 504, 520, 521, 522, 523, 524])(
		'once with %i is read again, and the list is whole',
		async (status) => {
			shortBackoffs();
			const rows = callsOf(250);
			const failed = new Set<number>();
			const { result } = await read(
				{
					rows,
					instead: ({ offset }) => {
						if (failed.has(offset)) return undefined;
						failed.add(offset);
						return { status, body: {} };
					},
				},
				{ retryBudgetMs: 60_000 },
			);
			expect(idsOf(result?.rows)).toEqual(idsOf(rows));
			expect(result?.complete).toBe(true);
		},
	);

	it('with "Access denied" in place of the records is an error, on the first page and later', async () => {
		for (const from of [0, 90]) {
			const body = { calls: [], message: 'Access denied' };
			const instead = ({ offset }: { offset: number }) =>
				offset >= from ? { status: 200, body } : undefined;
			const failed = failureOf(await read({ rows: callsOf(250), instead }));
			expect(failed.details.serviceMessage).toBe('Access denied');
		}
	});

	it.each(['none', 'false', ' None ', 'null'])(
		'is read as usual if its error field is %j',
		async (error) => {
			const instead = ({ page }: { page: JsonObject[] }) => ({
				status: 200,
				body: { calls: page, error, pagination: { limit: 100 } },
			});
			const { result } = await read({ rows: callsOf(250), instead });
			expect(result?.rows).toHaveLength(250);
			expect(result?.complete).toBe(true);
		},
	);
});

/** The days of a request for analytics, with three calls each. */
function daysOf(url = ''): JsonObject[] {
	const query = new URL(url, 'http://x').searchParams;
	const [start, end] = ['startDate', 'endDate'].map((key) => Date.parse(query.get(key) ?? ''));
	const count = (Number(end) - Number(start)) / 86_400_000 + 1;
	return Array.from({ length: count }, (_, day) => ({
		date: isoOf(Number(start) + day * 86_400_000).slice(0, 10),
		metrics: { totalCalls: 3 },
	}));
}

describe('analytics', () => {
	const one = [{ date: '2026-03-01', metrics: { totalCalls: 1455 } }];

	it.each([
		['the same for every range', () => ({ data: one, total: 1455 }), 'reports 1,455', 'only 1'],
		[
			'the calls of the range',
			(url) => ({ data: daysOf(url), total: 3 * daysOf(url).length }),
			'reports 2,184',
			'only 728',
		],
	] satisfies Array<[string, (url?: string) => object, string, string]>)(
		'are requested once if the total is %s',
		async (_what, answer, reported, returned) => {
			let asked = 0;
			await withServer(
				({ url }, response) => {
					asked++;
					const { data, total } = answer(url);
					response.end(JSON.stringify({ data, pagination: { total, limit: 1000 } }));
				},
				async (baseUrl) => {
					const range = { startDate: '2024-01-01', endDate: '2025-12-28' };
					const { result } = await probe.run({ baseUrl }, async (client) =>
						getAnalytics(client, range as never),
					);
					expect(result?.complete).toBe(false);
					expect(result?.hint).toContain(`${reported} days of analytics but returned ${returned}`);
				},
			);
			expect(asked).toBe(1);
		},
	);
});
