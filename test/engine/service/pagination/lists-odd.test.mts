import type { List } from '../../../../nodes/shared/service/pagination/types.ts';
import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';
import { withServer } from '../../support/service/answering-server.mts';
import { bidsOf, callsOf, listsOf } from '../../support/service/list-service.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

const read = listsOf(() => probe);
const down = { status: 503, body: { message: 'down' } };

/** Reads from a service that gives these answers to queries. */
const answered = async (
	answer: (query: URLSearchParams) => object,
	task: (client: ServiceClient) => Promise<List>,
) =>
	await withServer(
		({ url = '' }, response) =>
			void response.end(JSON.stringify(answer(new URL(url, 'http://x').searchParams))),
		async (baseUrl) => await probe.run({ baseUrl, retryBudgetMs: 0 }, task),
	);

describe("a page that can't be read", () => {
	it.each([false, true])(
		'is an error if more records were read than the service reports: bids %p',
		async (bids) => {
			const rows = bids ? bidsOf(2345) : callsOf(2345);
			const pagination = ({ page, limit }: { page: unknown[]; limit: number }) => ({
				...{ limit, total: page.length },
			});
			const instead = ({ offset }: { offset: number }) => (offset > 450 ? down : undefined);
			const failure = failureOf(await read({ rows, pagination, instead }, { bids }));
			expect(failure.details.advice).toMatch(/49\d records were read before it/);
		},
	);

	it('leaves the hint about empty records before it', async () => {
		const [first, ...others] = callsOf(500);
		const { result } = await read(
			{
				rows: [first ?? {}, {}, ...others],
				instead: ({ offset }) => (offset > 250 ? down : undefined),
			},
			{ onPageFailure: 'partial' },
		);
		expect(result?.hint).toMatch(/1 empty record, .* Only the first 297 of 501 records/);
	});
});

describe('a service without pages', () => {
	const same = { loadId: 1, callerName: 'Luis Ortega' };

	it('whose bids are all the same is read once more', async () => {
		const body = { salesBids: [same, same], pagination: { total: 2 } };
		const instead = ({ number }: { number: number }) =>
			number > 100 ? down : { status: 200, body };
		const { result, requests } = await read({ rows: [], instead }, { bids: true });
		expect(result).toEqual({ rows: [same, same] });
		expect(requests).toHaveLength(2);
	});

	it.each([{}, { limit: 100 }, { limit: 2, total: 2 }])(
		'whose last bids are the same does not keep a list going forever, with %j',
		async (pagination) => {
			const body = { salesBids: [...bidsOf(1), same, same], pagination };
			const instead = ({ number }: { number: number }) =>
				number > 100 ? down : { status: 200, body };
			const { result, requests } = await read({ rows: [], instead }, { bids: true });
			expect(result?.hint).toContain('kept moving or repeating records');
			expect(requests.length).toBeLessThan(20);
		},
	);
});

const DAY_MS = 24 * 60 * 60 * 1000;
const daysOf = (query: URLSearchParams) => {
	const [start, end] = ['startDate', 'endDate'].map((name) => Date.parse(query.get(name) ?? ''));
	const count = (Number(end) - Number(start)) / DAY_MS + 1;
	return Array.from({ length: count }, (_, index) => ({
		date: new Date(Number(start) + index * DAY_MS).toISOString(),
	}));
};
const range = { startDate: '2026-01-01', endDate: '2026-03-31' };

describe('analytics', () => {
	const cuts: Array<[string, (days: object[]) => { data: object[]; pagination?: object }]> = [
		['the first 30, without a total', (days) => ({ data: days.slice(0, 30) })],
		['the last 30, without a total', (days) => ({ data: days.slice(-30) })],
		[
			'the first 30, and reports these as the total',
			(days) => ({
				data: days.slice(0, 30),
				pagination: { total: Math.min(days.length, 30) },
			}),
		],
	];

	it.each(cuts)('are complete if no day at weekends has an entry, and %s', async (_, answer) => {
		const isWeekday = ({ date }: { date: string }) => new Date(date).getUTCDay() % 6 > 0;
		for (const asked of [
			{ startDate: '2026-01-01', endDate: '2026-03-29' },
			{ startDate: '2026-01-03', endDate: '2026-03-31' },
			{ startDate: '2026-01-03', endDate: '2026-03-29' },
		]) {
			const { result } = await answered(
				(query) => answer(daysOf(query).filter(isWeekday)),
				async (client) => await client.getAnalytics(asked),
			);
			expect(result).toEqual({ rows: daysOf(new URLSearchParams(asked)).filter(isWeekday) });
		}
	});

	it.each(cuts)('are complete if the service returns only %s', async (_which, answer) => {
		const { result } = await answered(
			(query) => answer(daysOf(query)),
			async (client) => await client.getAnalytics(range),
		);
		expect(result?.rows).toEqual(
			daysOf(new URLSearchParams({ startDate: range.startDate, endDate: range.endDate })),
		);
		expect(result?.hint).toBeUndefined();
	});
});

describe('analytics of a service that', () => {
	it('ignores the range are those of the range, and a hint says so', async () => {
		const all = new URLSearchParams({ startDate: '2026-01-01', endDate: '2026-12-31' });
		const range = { startDate: '2026-03-01', endDate: '2026-03-07' };
		const { result } = await answered(
			() => ({ data: daysOf(all), pagination: { total: 365 } }),
			async (client) => await client.getAnalytics(range),
		);
		// A day may begin at another hour there, so those next to the range are believed.
		const shown = { startDate: '2026-02-28', endDate: '2026-03-08' };
		expect(result?.rows).toEqual(daysOf(new URLSearchParams(shown)));
		expect(result?.hint).toContain('returned 356 days outside of the requested range');
	});

	it('goes on counting, and returns 10 days at once, have each day once', async () => {
		let calls = 0;
		const { result } = await answered(
			(query) => {
				const days = daysOf(query).map((day) => ({ ...day, metrics: { totalCalls: ++calls } }));
				return { data: days.slice(0, 10), pagination: { total: days.length } };
			},
			async (client) => await client.getAnalytics(range),
		);
		const days = result?.rows.map(({ date }) => String(date).slice(0, 10)) ?? [];
		expect(days).toHaveLength(90);
		expect(new Set(days).size).toBe(90);
	});
});

describe('a null row', () => {
	const hint = 'The service returned 1 empty record, which was left out.';

	it('is not an item of a carrier search', async () => {
		const { result } = await answered(
			() => ({ carriers: [{ name: 'A' }, null], pagination: { total: 2 } }),
			async (client) =>
				await client.searchCarriers({ origin: 'Gary, IN', destination: 'Austin, TX' }),
		);
		expect(result).toEqual({ rows: [{ name: 'A' }], hint });
	});

	it('is not an item of analytics', async () => {
		const data = [{ date: '2026-01-01' }, null];
		const { result } = await answered(
			() => ({ data }),
			async (client) =>
				await client.getAnalytics({ startDate: '2026-01-01', endDate: '2026-01-01' }),
		);
		expect(result).toEqual({ rows: [{ date: '2026-01-01' }], hint });
	});
});
