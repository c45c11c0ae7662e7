import fc from 'fast-check';
import { PlaceSearch } from '../../../nodes/shared/service/pagination/placeSearch.ts';

const rows = fc.integer({ min: 1, max: 5000 });

describe('the search for where a list continues after rows have moved', () => {
	it('first looks where nothing would have moved, then before the rows that are known', () => {
		const property = fc.property(
			rows,
			rows,
			fc.integer({ min: 1, max: 500 }),
			(end, read, pageSize) => {
				const search = new PlaceSearch();
				const known = { rows: read, pages: 10, pageSize };
				expect(search.next(end + 1, end, known)).toBe(end);
				expect(search.next(end, end, known)).toBeLessThan(Math.min(end, read));
			},
		);
		fc.assert(property, { seed: 48213 });
	});

	it('goes farther back each time, to the first row, and then gives up', () => {
		const property = fc.property(rows, fc.integer({ min: 1, max: 500 }), (end, pageSize) => {
			const search = new PlaceSearch();
			const known = { rows: end, pages: 10, pageSize };
			const offsets = [end];
			for (let next: number | undefined = end; next !== undefined; ) {
				next = search.next(next, end, known);
				if (next !== undefined) offsets.push(next);
			}
			expect(offsets.at(-1)).toBe(0);
			expect(offsets.toSorted((one, other) => other - one)).toEqual(offsets);
			expect(new Set(offsets).size).toBe(offsets.length);
		});
		fc.assert(property, { seed: 48213 });
	});

	it('ends in a list whose rows never stop moving', () => {
		const search = new PlaceSearch();
		const known = { rows: 1000, pages: 10, pageSize: 100 };
		let searches = 0;
		for (; search.next(900, 900, known) !== undefined; searches++) search.found();
		expect(searches).toBe(25);
	});
});
