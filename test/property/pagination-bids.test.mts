import fc from 'fast-check';
import { readList } from '../../nodes/shared/service/pagination/list.ts';
import {
	bidRows,
	casesOf,
	differentBids,
	readSlips,
	slipsOf,
} from './support/pagination/cases.mts';
import { everyReading, listOf } from './support/pagination/lists.mts';
import { ListServer, type Slip } from './support/pagination/server.mts';

const repeat: Slip = { do: 'repeat' };

describe('a list of bids read from a service that', () => {
	it('shortens and repeats pages of bids is complete without duplicates, or says that it may not be', async () => {
		const cases = casesOf({
			rows: differentBids,
			identity: fc.constant('none'),
			slips: slipsOf(readSlips),
		});
		await everyReading(cases, ({ paging, options, list }) => {
			if (listOf(list).hint !== undefined) return;
			expect(listOf(list).rows).toEqual(options.rows.slice(0, paging.limit));
		});
	});

	it('repeats one page of bids, some of them equal, is complete without duplicates, or says that it may not be', async () => {
		const cases = casesOf({
			rows: bidRows,
			identity: fc.constant('none'),
			clamp: fc.integer({ min: 2, max: 12 }),
			slips: fc
				.integer({ min: 1, max: 40 })
				.map((at) => [...Array.from({ length: at }, () => undefined), repeat]),
		});
		await everyReading(cases, ({ paging, options, list }) => {
			if (listOf(list).hint !== undefined) return;
			expect(listOf(list).rows).toEqual(options.rows.slice(0, paging.limit));
		});
	});
});

/** Failures that the properties above once found, with the seed that found each. */
describe('a list of bids that was once read incorrectly', () => {
	const paging = { pagesInParallel: 1, onPageFailure: 'error' as const };
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
	])('is complete, or says that it is not: $found', async ({ paging, lateRequest, ...options }) => {
		let requests = 0;
		const server = new ListServer({ ...options, report: (total: number) => total });
		const list = await readList(paging, {
			identity: 'none',
			async readPage(request) {
				const rounds = ++requests === lateRequest ? 4 : 1;
				for (let round = 0; round < rounds; round++) {
					await new Promise((next) => setImmediate(next));
				}
				return server.answer(request);
			},
		});
		if (list.hint === undefined) expect(list.rows).toEqual(options.rows);
	});
});
