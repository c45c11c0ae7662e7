import { customDays, days, freeze, now, unfreeze } from '../support/fields/range-reading.mts';

beforeEach(() => freeze(now));
afterEach(unfreeze);

describe('a range of days', () => {
	it.each([
		['today', '2026-03-08', '2026-03-08'],
		['yesterday', '2026-03-07', '2026-03-07'],
		['last7Days', '2026-03-02', '2026-03-08'],
		['last30Days', '2026-02-07', '2026-03-08'],
		['thisWeek', '2026-03-02', '2026-03-08'],
		['thisMonth', '2026-03-01', '2026-03-08'],
		['lastMonth', '2026-02-01', '2026-02-28'],
	])('%s', (timeRange, start, end) => {
		expect(days({ timeRange })).toEqual([start, end]);
	});

	it('is Last 7 Days when none is given', () => {
		expect(days({})).toEqual(['2026-03-02', '2026-03-08']);
	});

	it('has no hours', () => {
		expect(() => days({ timeRange: 'last24Hours' })).toThrow('Time Range must be one of');
	});

	it("uses today's date in the workflow's time zone", () => {
		expect(days({ timeRange: 'today' }, 'Pacific/Auckland')).toEqual(['2026-03-09', '2026-03-09']);
		expect(customDays('2026-03-07T23:30:00-08:00', '2026-03-08')).toEqual([
			'2026-03-08',
			'2026-03-08',
		]);
	});

	it('uses dates as given, even the same one twice', () => {
		expect(customDays('2026-03-07', '2026-03-07', 'Asia/Tokyo')).toEqual([
			'2026-03-07',
			'2026-03-07',
		]);
		expect(customDays('2026-03-08T23:00:00', '2026-03-08T01:00:00')).toEqual([
			'2026-03-08',
			'2026-03-08',
		]);
	});

	it('ends today when no end is given', () => {
		expect(customDays('2026-03-01')).toEqual(['2026-03-01', '2026-03-08']);
	});

	it('names both ends when the start is after the end', () => {
		expect(() => customDays('2026-03-08', '2026-03-07')).toThrow(
			'Start must not be after End (2026-03-07) (it is "2026-03-08")',
		);
	});
});
