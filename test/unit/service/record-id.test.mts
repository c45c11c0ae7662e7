import { idOf, parseExactJson } from '../../../nodes/shared/service/json.ts';

describe("a record's ID", () => {
	it.each([
		[{ id: 7 }, 7],
		[{ id: 'c-7' }, 'c-7'],
		[{ id: 0 }, undefined],
		[{ id: '' }, undefined],
		[{ id: null }, undefined],
		[{}, undefined],
	])('of %j is %j', (record, id) => {
		expect(idOf(record)).toBe(id);
	});

	it('of a million digits is undefined, as no number holds them', () => {
		const parsed = parseExactJson(`{"id":${'1'.repeat(1_000_000)}}`);
		expect(idOf(Object(parsed))).toBeUndefined();
	});
});
