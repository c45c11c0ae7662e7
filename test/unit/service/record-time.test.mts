import { readTime } from '../../../nodes/shared/service/record.ts';

const HOUR = 3_600_000;
const noon = Date.parse('2026-03-02T12:00:00Z');

describe("a record's time", () => {
	it.each([
		['2026-03-02T12:00:00Z', noon],
		['2026-03-02T06:00:00-06:00', noon],
		['2026-03-02T17:30:00.000+0530', noon],
		[' 2026-03-02 12:00Z ', noon],
		['2026-03-02 12:00:00.250000+00', noon + 250],
		['2026-03-02 12:00:00 UTC', noon],
		[noon, noon],
		[noon / 1000, noon],
		[`${noon / 1000}.25`, noon + 250],
	])('%j is exact', (value, ms) => {
		expect(readTime(value)).toEqual({ ms, toleranceMs: 0 });
	});

	it.each([
		['2026-03-02T12:00:00', noon, 14],
		['2026-03-02 12:00:00', noon, 14],
		['2026-03-02', noon - 12 * HOUR, 38],
	])('%j, without a zone, is known to some hours', (value, ms, hours) => {
		expect(readTime(value)).toEqual({ ms, toleranceMs: hours * HOUR });
	});

	it.each([
		...[undefined, null, '', ' ', 'soon', '2026-13-45T99:00:00Z', {}, [noon], true],
		...[0, 7, '20260302', '0001-01-01T00:00:00Z', Number.NaN, '03/02/2026 12:00 PM', '03-02-2026'],
	])('is undefined for %j', (value) => expect(readTime(value)).toBeUndefined());
});
