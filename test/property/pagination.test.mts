import fc from 'fast-check';
import {
	bidRows,
	callRows,
	casesOf,
	deleting,
	differentBids,
	failure,
	highTotals,
	honestTotals,
	inserting,
	lowTotals,
	readSlips,
	slipsOf,
	troubledLists,
} from './support/pagination/cases.mts';
import {
	everyReading,
	expectNothingTwice,
	expectWholeOrHint,
	listOf,
} from './support/pagination/lists.mts';

/** This many requests are enough for a list that the service only clamps. */
const pagesOf = (rows: number, size: number, overlap: number) =>
	Math.ceil(rows / Math.max(1, size - overlap)) + 2;

describe('a list that does not change, read from a service that', () => {
	it.each([
		['calls', callRows, 'id', 1],
		['bids', differentBids, 'none', 2],
	] as const)(
		'clamps its pages and reports any total that is too low is complete and in order: %s',
		async (_what, rows, identity, overlap) => {
			const cases = casesOf({
				rows,
				identity: fc.constant(identity),
				clamp: fc.integer({ min: 3, max: 12 }),
				report: fc.oneof(honestTotals, lowTotals),
			});
			await everyReading(cases, ({ paging, options, server, list }) => {
				expect(list).toEqual({ rows: options.rows.slice(0, paging.limit) });
				const size = Math.max(3, Math.min(options.clamp, paging.pageSize));
				const pages = pagesOf(options.rows.length, size, overlap);
				expect(server.requests).toBeLessThanOrEqual(pages + 2 * paging.pagesInParallel + 1);
			});
		},
	);

	it('reports a total that is too high is complete, and a hint states both numbers', async () => {
		const cases = casesOf({
			rows: fc.oneof(callRows, differentBids),
			identity: fc.constantFrom('id', 'none'),
			clamp: fc.integer({ min: 3, max: 12 }),
			report: highTotals,
		});
		await everyReading(cases, ({ paging, options, server, list }) => {
			expect(listOf(list).rows).toEqual(options.rows.slice(0, paging.limit));
			const most = pagesOf(
				options.rows.length,
				Math.max(3, Math.min(options.clamp, paging.pageSize)),
				2,
			);
			expect(server.requests).toBeLessThanOrEqual(most + 6 * paging.pagesInParallel + 2);
		});
	});

	it('returns one or two records at a time, or equal bids, is complete, or says that it may not be', async () => {
		const cases = casesOf({
			rows: fc.oneof(callRows, bidRows),
			identity: fc.constantFrom('id', 'none'),
			clamp: fc.integer({ min: 1, max: 4 }),
			report: fc.oneof(honestTotals, lowTotals, highTotals),
		});
		await everyReading(cases, (reading) => {
			if (listOf(reading.list).hint !== undefined) return;
			const { options, paging, list } = reading;
			expect(listOf(list).rows).toEqual(options.rows.slice(0, paging.limit));
		});
	});
});

describe('a list read from a service that', () => {
	it.each([
		['calls', callRows, 'id'],
		['bids', differentBids, 'none'],
	] as const)(
		'moves, clamps, empties and repeats %s and misstates totals is complete without duplicates, or says that it may not be',
		async (_what, rows, identity) => {
			await everyReading(troubledLists(rows, identity), (reading) => {
				const list = listOf(reading.list);
				if (identity === 'id' || list.hint === undefined) expectNothingTwice(list);
				expectWholeOrHint(list, reading.server, reading);
			});
		},
	);

	it('does all of that, fails and ignores offsets has no duplicates, with a bounded number of requests', async () => {
		const cases = casesOf({
			rows: callRows,
			report: fc.oneof(honestTotals, lowTotals, highTotals),
			slips: slipsOf(readSlips, inserting, deleting, failure),
			ignoresOffset: fc.boolean(),
		});
		await everyReading(cases, ({ paging, options, server, list }) => {
			const most = options.rows.length + 40 * 5;
			expect(server.requests).toBeLessThanOrEqual(4 * (most + 2 * paging.pagesInParallel + 40));
			if ('error' in list) {
				expect(options.slips).toContainEqual({ do: 'fail' });
				return;
			}
			expectNothingTwice(list);
			expect(list.rows.length).toBeLessThanOrEqual(paging.limit ?? Infinity);
		});
	});

	it('fails at a page returns the rows before it and where it stopped, or states how many there were', async () => {
		const cases = casesOf({ rows: callRows, clamp: fc.constant(12), slips: slipsOf(failure) });
		await everyReading(cases, ({ paging, options, list }) => {
			if ('error' in list) {
				expect(options.slips).toContainEqual({ do: 'fail' });
				const text = JSON.stringify(list.error);
				const isFirst = options.slips[0]?.do === 'fail';
				expect(isFirst || text.includes('records were read before it')).toBe(true);
				expect(isFirst || paging.onPageFailure === 'error').toBe(true);
				return;
			}
			expect(list.rows).toEqual(options.rows.slice(0, list.rows.length));
			const isWhole = list.rows.length === Math.min(options.rows.length, paging.limit ?? Infinity);
			if (!isWhole) expect(list.hint).toContain('Only the first');
		});
	});
});
