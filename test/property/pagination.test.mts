import fc from 'fast-check';
import {
	bidRows,
	callRows,
	casesOf,
	deleting,
	failure,
	honestTotals,
	inserting,
	lyingTotals,
	readSlips,
	slipsOf,
} from './support/pagination-cases.mts';
import {
	everyReading,
	expectAllOrHint,
	expectNothingTwice,
	listOf,
} from './support/pagination-lists.mts';

describe('a list read from a service that', () => {
	it('only clamps pages and tells its total early, late, at times or never is whole and in order', async () => {
		const cases = casesOf({
			rows: fc.oneof(callRows, bidRows),
			identity: fc.constantFrom('id', 'none'),
			clamp: fc.integer({ min: 2, max: 12 }),
			tell: honestTotals,
		});
		await everyReading(cases, ({ paging, identity, options: { rows, clamp }, server, list }) => {
			expect(list).toEqual({ rows: rows.slice(0, paging.limit) });
			const pages = Math.ceil(rows.length / Math.min(clamp, paging.pageSize));
			// Pages of equal bids are looked at once more, from one row earlier.
			const looks = identity === 'id' && rows[0] && 'id' in rows[0] ? 0 : 2 * pages;
			expect(server.requests).toBeLessThanOrEqual(pages + 2 + looks + paging.pagesInParallel);
		});
	});

	it('empties, repeats and shortens pages at random loses no call and gives none twice, or says so', async () => {
		const cases = casesOf({ rows: callRows, slips: slipsOf(readSlips) });
		await everyReading(cases, ({ paging, server, list }) => {
			expectNothingTwice(listOf(list));
			expectAllOrHint(listOf(list), server, paging.limit);
		});
	});

	it('gets new calls while it is read loses none and gives none twice, or says so', async () => {
		const cases = casesOf({ rows: callRows, slips: slipsOf(readSlips, inserting) });
		await everyReading(cases, ({ paging, options, server, list }) => {
			expectNothingTwice(listOf(list));
			const { rows, hint } = listOf(list);
			if (hint !== undefined || rows.length >= (paging.limit ?? Infinity)) return;
			const held = new Set(rows.map(({ id }) => id));
			expect(options.rows.filter(({ id }) => !held.has(id))).toEqual([]);
			expect(server.rows.length).toBeGreaterThanOrEqual(rows.length);
		});
	});

	it('loses calls while it is read hides none that is still there, or says so', async () => {
		const cases = casesOf({ rows: callRows, slips: slipsOf(readSlips, deleting) });
		await everyReading(cases, ({ paging, server, list }) => {
			expectNothingTwice(listOf(list));
			expectAllOrHint(listOf(list), server, paging.limit);
		});
	});

	it('does all of that, fails and lies about its total gives no call twice, in bounded requests', async () => {
		const cases = casesOf({
			rows: callRows,
			tell: fc.oneof(honestTotals, lyingTotals),
			slips: slipsOf(readSlips, inserting, deleting, failure),
			ignoresOffset: fc.boolean(),
		});
		await everyReading(cases, ({ paging, options, server, list }) => {
			const most = options.rows.length + 40 * 5;
			expect(server.requests).toBeLessThanOrEqual(4 * (2 * most + 2 * paging.pagesInParallel + 5));
			if ('error' in list) {
				expect(options.slips).toContainEqual({ do: 'fail' });
				return;
			}
			expectNothingTwice(list);
			expect(list.rows.length).toBeLessThanOrEqual(paging.limit ?? Infinity);
		});
	});

	it('fails at a page gives the rows before it and says where it stopped, when that is wanted', async () => {
		const cases = casesOf({ rows: callRows, clamp: fc.constant(12), slips: slipsOf(failure) });
		await everyReading(cases, ({ paging, options, server, list }) => {
			const failed = options.slips.slice(0, server.requests).some((slip) => slip?.do === 'fail');
			if ('error' in list) {
				expect(failed).toBe(true);
				expect(paging.onPageFailure === 'error' || options.slips[0]?.do === 'fail').toBe(true);
				return;
			}
			expect(list.rows).toEqual(options.rows.slice(0, list.rows.length));
			expect(list.hint !== undefined).toBe(failed);
			if (failed) expect(list.hint).toContain('Only the first');
		});
	});
});
