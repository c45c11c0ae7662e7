import fc from 'fast-check';
import { readList } from '../../nodes/shared/service/list.ts';
import type { List } from '../../nodes/shared/service/pages.ts';
import { ListServer, type ServerOptions, type Slip } from './support/pagination/server.mts';

// To replay a failure: its seed and path, and `-t` with the name of the test.
const { PROPERTY_RUNS = '2000', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(PROPERTY_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };

/** Calls, each with its own ID, and bids that all differ. */
const callRows = fc
	.integer({ min: 0, max: 70 })
	.map((count) => Array.from({ length: count }, (_, nth) => ({ id: nth + 1 })));
const bidRows = fc
	.integer({ min: 0, max: 70 })
	.map((count) => Array.from({ length: count }, (_, at) => ({ at })));

const lists = fc.oneof(
	fc.record({ rows: callRows, hasIds: fc.constant(true) }),
	fc.record({ rows: bidRows, hasIds: fc.constant(false) }),
);

/** Correct totals, and those that are too low: capped, the page's rows, missing, falling behind. */
const honestTotals: fc.Arbitrary<ServerOptions['report']> = fc.constantFrom(
	(total: number) => total,
	() => undefined,
);
const lowTotals: fc.Arbitrary<ServerOptions['report']> = fc.oneof(
	fc.integer({ min: 0, max: 60 }).map((cap) => (total: number) => Math.min(cap, total)),
	fc.constantFrom(
		(_total: number, _request: number, rows: number) => rows,
		() => 0,
		(total: number) => Math.floor(total / 2),
	),
);

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const slips = (...kinds: Array<fc.Arbitrary<Slip>>) =>
	fc.array(fc.option(fc.oneof(...kinds), { nil: undefined, freq: 2 }), { maxLength: 10 });
const moving = slips(
	fc.constant({ do: 'empty' } as const),
	fc.record({ do: fc.constant('clamp' as const), to: fc.integer({ min: 1, max: 5 }) }),
	fc.record({ do: fc.constant('insert' as const), place, count: fc.constant(1) }),
	fc.record({ do: fc.constant('delete' as const), place }),
	// An empty first page with a total of 0 can't be distinguished from an empty list.
).map((all) => [undefined, ...all]);

const drawn = {
	list: lists,
	limit: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined, freq: 1 }),
	clamp: fc.integer({ min: 2, max: 12 }),
	reportsLimit: fc.boolean(),
	report: honestTotals,
	slips: fc.constant<ServerOptions['slips']>([]),
	ignoresOffset: fc.constant<boolean>(false),
};
type Drawn = typeof drawn;
type Case = {
	[Name in keyof Drawn]: Drawn[Name] extends fc.Arbitrary<infer Value> ? Value : never;
};

interface Reading extends Case {
	server: ListServer;
	result: List | { error: unknown };
}

/** Reads a list of each case, the responses in any order, and looks at the result. */
async function everyReading(more: Partial<Drawn>, holds: (reading: Reading) => void) {
	const cases = fc.record({ ...drawn, ...more });
	const property = fc.asyncProperty(fc.scheduler(), cases, async (scheduler, one) => {
		const { list, limit, ...options } = one;
		const server = new ListServer({ ...options, rows: list.rows });
		const reading = readList({
			...{ range, hasIds: list.hasIds, limit },
			async readPage(_range, asked) {
				await scheduler.schedule(Promise.resolve(), `offset ${asked.offset}`);
				const page = server.answer(asked);
				await scheduler.schedule(Promise.resolve(), 'parse it');
				return page;
			},
		}).catch((error: unknown) => ({ error }));
		holds({ ...one, server, result: await scheduler.waitFor(reading) });
	});
	await fc.assert(property, settings);
}

function listOf({ result }: Reading): List {
	if ('error' in result) throw result.error;
	return result;
}

describe('a list that does not change, read from a service that', () => {
	it('clamps its pages and reports a total that is right, too low or missing is complete and in order', async () => {
		// Who clamps without saying so, and reports only the page's rows, can't be told from who has no more.
		const honest = { report: honestTotals, reportsLimit: fc.boolean() };
		const low = { report: lowTotals, reportsLimit: fc.constant(true) };
		const holds = (reading: Reading) => {
			const { list, limit, clamp, server } = reading;
			const { rows, hint, complete } = listOf(reading);
			expect({ rows, hint, complete }).toEqual({
				...{ rows: list.rows.slice(0, limit), hint: undefined, complete: true },
			});
			const pages = Math.ceil(list.rows.length / Math.max(1, clamp - 1)) + 2;
			// And those requested ahead past the end.
			expect(server.requests).toBeLessThanOrEqual(pages + 8);
		};
		await everyReading(honest, holds);
		await everyReading(low, holds);
	});

	it('reports a total that is too high is returned whole, with both numbers in a hint', async () => {
		const report = fc.constantFrom(
			(total: number) => total + 3,
			() => 1e12,
		);
		await everyReading({ report, limit: fc.constant(undefined) }, (reading) => {
			const { rows, hint = '', complete } = listOf(reading);
			expect(rows).toEqual(reading.list.rows);
			expect(complete).toBe(false);
			expect(hint).toContain(` ${rows.length.toLocaleString('en-US')}`);
		});
	});
});

describe('a list read from a service that', () => {
	it('moves, clamps, and empties pages and misstates totals is never short in silence', async () => {
		let whole = 0;
		await everyReading(
			{
				...{
					slips: moving,
					report: fc.oneof(honestTotals, lowTotals),
					reportsLimit: fc.constant(true),
				},
				// If as many rows were added as a page has, it could be the first page again.
				clamp: fc.constant(12),
			},
			(reading) => {
				const { list, server, limit } = reading;
				const { rows, complete, hint } = listOf(reading);
				if (list.hasIds) expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
				expect(complete).toBe(hint === undefined);
				if (!complete) return;
				whole++;
				const there = list.rows.filter((row) => !server.deleted.has(row));
				const returned = rows.filter((row) => there.some((each) => each === row));
				if (rows.length === limit) return;
				expect(new Set(returned)).toEqual(new Set(there));
			},
		);
		if (PROPERTY_PATH === undefined) expect(whole).toBeGreaterThan(settings.numRuns / 5);
	});

	it('does all of that, fails and ignores offsets ends after a bounded number of requests', async () => {
		const more: Partial<Drawn> = {
			slips: fc.tuple(moving, slips(fc.constant({ do: 'fail' } as const))).map((all) => all.flat()),
			ignoresOffset: fc.boolean(),
			report: fc.oneof(honestTotals, lowTotals),
		};
		await everyReading(more, ({ list, server, result, limit }) => {
			expect(server.requests).toBeLessThanOrEqual(4 * (list.rows.length + 200 + 40));
			if ('error' in result) {
				expect(JSON.stringify(result.error)).toContain('Broken');
			} else expect(result.rows.length).toBeLessThanOrEqual(limit ?? Infinity);
		});
	});
});
