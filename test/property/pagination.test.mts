import fc from 'fast-check';
import { readList } from '../../nodes/shared/service/pagination/list.ts';
import type {
	Identity,
	List,
	Paging,
	ReadPage,
} from '../../nodes/shared/service/pagination/types.ts';
import type { JsonObject } from '../../nodes/shared/service/json.ts';
import { ListServer, type ServerOptions, type Slip } from './pagination-server.mts';

// To replay a failure: its seed and path, and `-t` with the name of the test.
const { PROPERTY_RUNS = '1000', PROPERTY_SEED, PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(PROPERTY_RUNS),
	...(PROPERTY_SEED !== undefined && { seed: Number(PROPERTY_SEED) }),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

const pagings = fc.record(
	{
		limit: fc.integer({ min: 1, max: 80 }),
		pageSize: fc.integer({ min: 1, max: 12 }),
		pagesInParallel: fc.integer({ min: 1, max: 6 }),
		onPageFailure: fc.constantFrom('error' as const, 'partial' as const),
	},
	{ requiredKeys: ['pageSize', 'pagesInParallel', 'onPageFailure'] },
);

const callRows = fc
	.integer({ min: 0, max: 70 })
	.map((count) => Array.from({ length: count }, (_, id) => ({ id })));

/** Bids in the order of their time; some follow each other that are equal in everything. */
const bidRows = fc
	.array(fc.integer({ min: 0, max: 3 }), { maxLength: 70 })
	.map((steps) => steps.map(((at) => (step) => ({ at: (at += step === 0 ? 0 : 1) }))(0)));

const differentBids = fc
	.integer({ min: 0, max: 70 })
	.map((count) => Array.from({ length: count }, (_, at) => ({ at })));

/** Ways to tell a total that are all right, in the end. */
const honestTotals: fc.Arbitrary<ServerOptions['tell']> = fc.constantFrom(
	(total: number) => total,
	() => undefined,
	(total: number, request: number) => (request < 2 ? undefined : total),
	(total: number, request: number) => (request % 2 === 0 ? total : undefined),
);

const lyingTotals: fc.Arbitrary<ServerOptions['tell']> = fc.constantFrom(
	(total: number) => total + 3,
	(total: number) => Math.floor(total / 2),
	() => 0,
	(total: number, request: number) => total + request,
	(total: number, request: number) => Math.max(0, total - request),
	() => 1e12,
);

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

const readSlips: fc.Arbitrary<Slip> = fc.oneof(
	fc.constant({ do: 'empty' } as const),
	fc.constant({ do: 'repeat' } as const),
	fc.record({ do: fc.constant('clamp' as const), to: fc.integer({ min: 1, max: 5 }) }),
);
const failure: fc.Arbitrary<Slip> = fc.constant({ do: 'fail' } as const);
const inserting: fc.Arbitrary<Slip> = fc.record({
	do: fc.constant('insert' as const),
	place,
	count: fc.integer({ min: 1, max: 5 }),
});
const deleting: fc.Arbitrary<Slip> = fc.record({ do: fc.constant('delete' as const), place });

const slipsOf = (...kinds: Array<fc.Arbitrary<Slip>>) =>
	fc.array(fc.option(fc.oneof(...kinds), { nil: undefined, freq: 2 }), { maxLength: 40 });

interface Case {
	paging: Paging;
	options: ServerOptions;
	identity: Identity;
}

/** Reads a list from a server whose answers come in any order. */
async function read(scheduler: fc.Scheduler, { paging, options, identity }: Case) {
	const server = new ListServer(options);
	let busy = 0;
	const ask: ReadPage = async (asked, { onAnswered }) => {
		expect(asked.limit).toBeGreaterThanOrEqual(1);
		expect(++busy).toBeLessThanOrEqual(paging.pagesInParallel);
		try {
			await scheduler.schedule(Promise.resolve(), `offset ${asked.offset} limit ${asked.limit}`);
		} finally {
			busy--;
		}
		const page = server.answer(asked);
		onAnswered?.();
		await scheduler.schedule(Promise.resolve(), 'look into it');
		return page;
	};
	const list = await scheduler.waitFor(
		readList(paging, ask, identity).catch((error: unknown) => ({ error })),
	);
	return { server, list };
}

function listOf(result: List | { error: unknown }): List {
	if ('error' in result) throw result.error;
	return result;
}

function expectAllOrHint(list: List, server: ListServer, limit = Number.POSITIVE_INFINITY): void {
	if (list.hint !== undefined) return;
	const held = new Set(list.rows.map(({ id }) => id));
	if (held.size >= limit) return;
	const lost = server.rows.filter(({ id }) => !held.has(id));
	expect(lost).toEqual([]);
}

function expectNothingTwice({ rows }: List): void {
	expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
}

const run = async <Ts extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<Ts>) =>
	await fc.assert(property, settings);

const scheduled = fc.scheduler();

describe('a list read from a service that', () => {
	it('only clamps pages and tells its total early, late, at times or never is whole and in order', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					identity: fc.constantFrom('id' as const, 'none' as const),
					rows: fc.oneof(callRows, bidRows) as fc.Arbitrary<JsonObject[]>,
					clamp: fc.integer({ min: 2, max: 12 }),
					tell: honestTotals,
				}),
				async (scheduler, { paging, identity, ...options }) => {
					const { rows, clamp } = options;
					const { server, list } = await read(scheduler, {
						paging,
						identity,
						options: { ...options, slips: [] },
					});
					expect(list).toEqual({ rows: rows.slice(0, paging.limit) });
					const pages = Math.ceil(rows.length / Math.min(clamp, paging.pageSize));
					// Pages of equal bids are looked at once more, from one row earlier.
					const looks = identity === 'id' && rows[0] && 'id' in rows[0] ? 0 : 2 * pages;
					expect(server.requests).toBeLessThanOrEqual(pages + 2 + looks + paging.pagesInParallel);
				},
			),
		);
	});

	it('empties, repeats and shortens pages at random loses no call and gives none twice, or says so', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					rows: callRows,
					clamp: fc.integer({ min: 1, max: 12 }),
					slips: slipsOf(readSlips),
				}),
				async (scheduler, { paging, ...options }) => {
					const { server, list } = await read(scheduler, {
						paging,
						identity: 'id',
						options: { ...options, tell: (total) => total },
					});
					expectNothingTwice(listOf(list));
					expectAllOrHint(listOf(list), server, paging.limit);
				},
			),
		);
	});

	it('gets new calls while it is read loses none and gives none twice, or says so', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					rows: callRows,
					clamp: fc.integer({ min: 1, max: 12 }),
					slips: slipsOf(readSlips, inserting),
				}),
				async (scheduler, { paging, ...options }) => {
					const { server, list } = await read(scheduler, {
						paging,
						identity: 'id',
						options: { ...options, tell: (total) => total },
					});
					expectNothingTwice(listOf(list));
					const { rows } = listOf(list);
					if (listOf(list).hint !== undefined || rows.length >= (paging.limit ?? Infinity)) return;
					const held = new Set(rows.map(({ id }) => id));
					expect(options.rows.filter(({ id }) => !held.has(id))).toEqual([]);
					expect(server.rows.length).toBeGreaterThanOrEqual(rows.length);
				},
			),
		);
	});

	it('loses calls while it is read hides none that is still there, or says so', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					rows: callRows,
					clamp: fc.integer({ min: 1, max: 12 }),
					slips: slipsOf(readSlips, deleting),
				}),
				async (scheduler, { paging, ...options }) => {
					const { server, list } = await read(scheduler, {
						paging,
						identity: 'id',
						options: { ...options, tell: (total) => total },
					});
					expectNothingTwice(listOf(list));
					expectAllOrHint(listOf(list), server, paging.limit);
				},
			),
		);
	});

	it('shortens and repeats pages of bids loses none and gives none twice, or says so', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					rows: differentBids,
					clamp: fc.integer({ min: 1, max: 12 }),
					slips: slipsOf(readSlips),
				}),
				async (scheduler, { paging, ...options }) => {
					const tell = (total: number) => total;
					const input = { paging, identity: 'none' as const, options: { ...options, tell } };
					const { list } = await read(scheduler, input);
					if (listOf(list).hint !== undefined) return;
					expect(listOf(list).rows).toEqual(options.rows.slice(0, paging.limit));
				},
			),
		);
	});

	it('repeats one page of bids of which some are equal drops none and gives none twice, or says so', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					rows: bidRows,
					clamp: fc.integer({ min: 2, max: 12 }),
					at: fc.integer({ min: 1, max: 40 }),
				}),
				async (scheduler, { paging, at, ...rest }) => {
					const slips = [...Array.from({ length: at }, () => undefined), { do: 'repeat' as const }];
					const options = { ...rest, slips, tell: (total: number) => total };
					const { list } = await read(scheduler, { paging, identity: 'none', options });
					if (listOf(list).hint !== undefined) return;
					expect(listOf(list).rows).toEqual(options.rows.slice(0, paging.limit));
				},
			),
		);
	});

	it('does all of that, fails and lies about its total gives no call twice, in bounded requests', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({
					paging: pagings,
					rows: callRows,
					clamp: fc.integer({ min: 1, max: 12 }),
					tell: fc.oneof(honestTotals, lyingTotals),
					slips: slipsOf(readSlips, inserting, deleting, failure),
					ignoresOffset: fc.boolean(),
				}),
				async (scheduler, { paging, ...options }) => {
					const { server, list } = await read(scheduler, { paging, identity: 'id', options });
					const most = options.rows.length + 40 * 5;
					expect(server.requests).toBeLessThanOrEqual(
						4 * (2 * most + 2 * paging.pagesInParallel + 5),
					);
					if ('error' in list) {
						expect(options.slips).toContainEqual({ do: 'fail' });
						return;
					}
					expectNothingTwice(list);
					expect(list.rows.length).toBeLessThanOrEqual(paging.limit ?? Number.POSITIVE_INFINITY);
				},
			),
		);
	});

	it('fails at a page gives the rows before it and says where it stopped, when that is wanted', async () => {
		await run(
			fc.asyncProperty(
				scheduled,
				fc.record({ paging: pagings, rows: callRows, slips: slipsOf(failure) }),
				async (scheduler, { paging, ...options }) => {
					const { server, list } = await read(scheduler, {
						paging,
						identity: 'id',
						options: { ...options, clamp: 12, tell: (total) => total },
					});
					const failed = options.slips
						.slice(0, server.requests)
						.some((slip) => slip?.do === 'fail');
					if ('error' in list) {
						expect(failed).toBe(true);
						expect(paging.onPageFailure === 'error' || options.slips[0]?.do === 'fail').toBe(true);
						return;
					}
					expect(list.rows).toEqual(options.rows.slice(0, list.rows.length));
					expect(list.hint !== undefined).toBe(failed);
					if (failed) expect(list.hint).toContain('Only the first');
				},
			),
		);
	});
});

/** Failures that the properties above once found, each with the seed that found it. */
describe('a list of bids that was once read wrong', () => {
	const paging = { pagesInParallel: 1, onPageFailure: 'error' as const };
	const repeat: Slip = { do: 'repeat' };
	const bids = (...times: number[]) => times.map((at) => ({ at }));

	it.each([
		{
			// seed -76809125
			found: 'a short last page that repeats a row before it',
			paging: { ...paging, pageSize: 3 },
			rows: bids(0, 0, 0, 0, 0, 0, 1),
			clamp: 3,
			slips: [undefined, undefined, undefined, repeat],
		},
		{
			// seed 1248711178
			found: 'two repeated pages of which the second seemed to prove the first',
			paging: { ...paging, pageSize: 3 },
			rows: bids(0, 1, 2, 3, 4),
			clamp: 3,
			slips: [undefined, repeat, repeat],
		},
		{
			// seed -2107549
			found: 'a repeated page compared with a clamped one',
			paging: { ...paging, pageSize: 2 },
			rows: bids(0, 0, 1, 1, 1, 2),
			clamp: 2,
			slips: [undefined, undefined, repeat],
		},
		{
			// seed 1080204935
			found: 'a repeated page that comes while the one before it is being compared',
			paging: { ...paging, pagesInParallel: 4, pageSize: 4 },
			rows: bids(0, 1, 1, 2, 2, 2, 3, 4, 5),
			clamp: 5,
			slips: [undefined, undefined, repeat],
		},
		{
			// seed -1744725345
			found: 'a repeated page proved by another one before the page between them came',
			paging: { ...paging, pagesInParallel: 2, pageSize: 1 },
			rows: bids(0, 1, 2, 3),
			clamp: 2,
			slips: [undefined, repeat, undefined, undefined, repeat],
			lateRequest: 2,
		},
	])('is whole, or says that it is not: $found', async ({ paging, lateRequest, ...options }) => {
		let requests = 0;
		const server = new ListServer({ ...options, tell: (total) => total });
		const list = await readList(
			paging,
			async (asked) => {
				const rounds = ++requests === lateRequest ? 4 : 1;
				for (let round = 0; round < rounds; round++) {
					await new Promise((next) => setImmediate(next));
				}
				return server.answer(asked);
			},
			'none',
		);
		if (list.hint === undefined) expect(list.rows).toEqual(options.rows);
	});
});
