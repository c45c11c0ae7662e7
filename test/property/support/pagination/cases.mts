import fc from 'fast-check';
import type { JsonObject } from '../../../../nodes/shared/service/http/json.ts';
import type { Identity, Paging } from '../../../../nodes/shared/service/pagination/types.ts';
import type { ServerOptions, Slip } from './server.mts';

/** A list, its service, and how it is read. */
export interface Case {
	paging: Paging;
	identity: Identity;
	options: ServerOptions;
}

/** Small page sizes, so that short lists have many pages. */
const pagings = fc.record(
	{
		limit: fc.integer({ min: 1, max: 80 }),
		pageSize: fc.integer({ min: 1, max: 12 }),
		pagesInParallel: fc.integer({ min: 1, max: 6 }),
		onPageFailure: fc.constantFrom('error' as const, 'partial' as const),
	},
	{ requiredKeys: ['pageSize', 'pagesInParallel', 'onPageFailure'] },
);

/** Calls, each with its own ID. */
export const callRows = fc
	.integer({ min: 0, max: 70 })
	.map((count) => Array.from({ length: count }, (_, nth) => ({ id: nth + 1 })));

/** Bids in order of time, some of which are identical to the previous one. */
export const bidRows = fc
	.array(fc.integer({ min: 0, max: 3 }), { maxLength: 70 })
	.map((steps) => steps.map(((at) => (step) => ({ at: (at += step === 0 ? 0 : 1) }))(0)));

/** Bids that all differ. */
export const differentBids = fc
	.integer({ min: 0, max: 70 })
	.map((count) => Array.from({ length: count }, (_, at) => ({ at })));

/** Correct totals, whenever they are reported. */
export const honestTotals: fc.Arbitrary<ServerOptions['report']> = fc.constantFrom(
	(total: number) => total,
	() => undefined,
	(total: number, request: number) => (request < 2 ? undefined : total),
	(total: number, request: number) => (request % 2 === 0 ? total : undefined),
);

/** Totals that are too low: capped, the page's rows or number, missing, or falling behind. */
export const lowTotals: fc.Arbitrary<ServerOptions['report']> = fc.oneof(
	fc.integer({ min: 0, max: 60 }).map((cap) => (total: number) => Math.min(cap, total)),
	fc.constantFrom(
		(_total: number, _request: number, rows: number) => rows,
		(total: number, request: number) => Math.min(total, request + 1),
		() => 0,
		(total: number) => Math.floor(total / 2),
		(total: number, request: number) => Math.max(0, total - request),
	),
);

/** Totals that are too high, or change. */
export const highTotals: fc.Arbitrary<ServerOptions['report']> = fc.constantFrom(
	(total: number) => total + 3,
	(total: number, request: number) => total + request,
	(total: number, request: number) => total + (request % 3) - 1,
	() => 1e12,
);

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** What a service may do wrong while its records stay the same. */
export const readSlips: fc.Arbitrary<Slip> = fc.oneof(
	fc.constant({ do: 'empty' } as const),
	fc.constant({ do: 'repeat' } as const),
	fc.record({ do: fc.constant('clamp' as const), to: fc.integer({ min: 1, max: 5 }) }),
);

/** A page that can't be read. */
export const failure: fc.Arbitrary<Slip> = fc.constant({ do: 'fail' } as const);

/** New records between two pages. */
export const inserting: fc.Arbitrary<Slip> = fc.record({
	do: fc.constant('insert' as const),
	place,
	count: fc.integer({ min: 1, max: 5 }),
});

/** A record that is deleted between two pages. */
export const deleting: fc.Arbitrary<Slip> = fc.record({
	do: fc.constant('delete' as const),
	place,
});

/** Faults in some of the first requests. */
export const slipsOf = (...kinds: Array<fc.Arbitrary<Slip>>) =>
	fc.array(fc.option(fc.oneof(...kinds), { nil: undefined, freq: 2 }), { maxLength: 40 });

/** Lists of a service that misstates totals, moves rows, clamps, and empties or repeats pages. */
export const troubledLists = (rows: fc.Arbitrary<JsonObject[]>, identity: Identity) =>
	casesOf({
		rows,
		identity: fc.constant(identity),
		report: fc.oneof(honestTotals, lowTotals, highTotals),
		// An empty first page with a total of 0 can't be distinguished from an empty list.
		slips: slipsOf(readSlips, inserting, deleting).map((slips) => [undefined, ...slips]),
		reportsLimit: fc.constant(true),
	});

interface Drawn {
	rows: fc.Arbitrary<JsonObject[]>;
	identity?: fc.Arbitrary<Identity>;
	clamp?: fc.Arbitrary<number>;
	report?: fc.Arbitrary<ServerOptions['report']>;
	reportsLimit?: fc.Arbitrary<boolean>;
	slips?: fc.Arbitrary<ServerOptions['slips']>;
	ignoresOffset?: fc.Arbitrary<boolean>;
}

/**
 * Lists whose rows have IDs, whose total is correct and whose service makes no mistakes, unless set
 * otherwise.
 */
export function casesOf({ identity = fc.constant('id'), ...drawn }: Drawn): fc.Arbitrary<Case> {
	const options = fc.record({
		clamp: fc.integer({ min: 1, max: 12 }),
		report: fc.constant<ServerOptions['report']>((total) => total),
		reportsLimit: fc.boolean(),
		slips: fc.constant<ServerOptions['slips']>([]),
		ignoresOffset: fc.constant(false),
		...drawn,
	});
	return fc.record({ paging: pagings, identity, options });
}
