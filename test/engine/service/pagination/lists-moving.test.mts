import { bidsOf, callsOf, listsOf } from '../../support/service/list-service.mts';
import { startProbe, type Probe } from '../../support/service/probe.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

const read = listsOf(() => probe);

describe('a list whose records move while it is read', () => {
	it.each([
		['calls', callsOf(600), { id: 9999 }, false, 1],
		['calls, pages in parallel', callsOf(600), { id: 9999 }, false, 4],
		['bids', bidsOf(600), { loadId: 9999 }, true, 1],
		['bids, pages in parallel', bidsOf(600), { loadId: 9999 }, true, 4],
	])(
		'has every record that was there throughout, when one is deleted and one added: %s',
		async (_what, rows, added, bids, pagesInParallel) => {
			const gone = rows[5];
			const { result, requests } = await read(
				{
					rows: [...rows],
					before(number, now) {
						if (number !== 2) return;
						now.splice(5, 1);
						now.push(added);
					},
				},
				{ bids, pagesInParallel },
			);
			const stayed = rows.filter((row) => row !== gone);
			const found = result?.rows.filter((row) => row !== gone) ?? [];
			expect(missingIn(found, stayed)).toEqual([]);
			expect(new Set(found.map((row) => JSON.stringify(row))).size).toBe(found.length);
			expect(result?.hint).toBeUndefined();
			expect(requests.length).toBeLessThanOrEqual(7 + 12);
		},
	);

	it('says so when records move at every page', async () => {
		const { result, requests } = await read({
			rows: callsOf(3000),
			before: (_number, now) => void now.splice(0, 150),
		});
		const ids = result?.rows.map(({ id }) => id) ?? [];
		expect(new Set(ids).size).toBe(ids.length);
		expect(requests.length).toBeLessThan(200);
	});
});

describe('a list whose records of one moment come in another order at each request', () => {
	const orders = [
		[0, 2, 1],
		[1, 0, 2],
		[1, 2, 0],
		[2, 0, 1],
		[2, 1, 0],
	];
	const lists = [
		{ rows: callsOf(300), bids: false },
		{ rows: bidsOf(300), bids: true },
	];

	it.each(orders)('is complete, or says that it may not be: %i, %i, %i', async (...order) => {
		for (const { rows, bids } of lists) {
			// Where one page ends and the next begins.
			for (const at of [96, 97, 98, 99, 100]) {
				const { result, requests } = await read(
					{
						rows: [...rows],
						before(number, now) {
							if (number !== 1) return;
							const moved = now.slice(at, at + 3);
							now.splice(at, 3, ...order.map((place) => moved[place] ?? {}));
						},
					},
					{ bids, pagesInParallel: 1 },
				);
				const found = result?.rows ?? [];
				const missing = missingIn(found, rows);
				if (result?.hint === undefined) expect({ at, missing }).toEqual({ at, missing: [] });
				if (bids) continue;
				const sent = requests.flatMap(({ page }) => page);
				expect(missingIn(sent, missing)).toEqual(missing);
			}
		}
	});
});

describe('a list up to now', () => {
	const created = (ms: number) => new Date(ms).toISOString();
	const range = () => ({
		startTime: created(Date.now() - 86_400_000),
		endTime: created(Date.now() + 300_000),
	});

	it('has the newest records of a service whose clock is 20 seconds ahead, with a fixed end', async () => {
		const start = Date.now();
		const rows = Array.from({ length: 250 }, (_, index) => ({
			id: 250 - index,
			createdAt: created(start + 20_000 - 1000 * index),
		}));
		let next = 250;
		const { result, requests } = await read(
			{
				rows: [...rows],
				timeOf: ({ createdAt }) => Date.parse(String(createdAt)),
				// A new call arrives before each page.
				before: (number, now) =>
					void (number > 0 && now.unshift({ id: ++next, createdAt: created(start + 40_000) })),
			},
			{},
			range(),
		);
		expect(result).toEqual({ rows });
		expect(requests.slice(1).every(({ endTime }) => endTime < start + 30_000)).toBe(true);
	});

	it('that starts with the oldest record has the newest ones too', async () => {
		const start = Date.now();
		const rows = Array.from({ length: 250 }, (_, index) => ({
			id: index,
			createdAt: created(start + 20_000 - 1000 * (249 - index)),
		}));
		const { result } = await read(
			{ rows: [...rows], timeOf: ({ createdAt }) => Date.parse(String(createdAt)) },
			{},
			range(),
		);
		expect(result).toEqual({ rows });
	});
});

/** The rows that are not among those found. */
function missingIn<Row>(found: unknown[], rows: Row[]): Row[] {
	const known = new Set(found.map((row) => JSON.stringify(row)));
	return rows.filter((row) => !known.has(JSON.stringify(row)));
}
