import { DateTime } from 'luxon';
import { wrongTypes } from '../support/fields/parameters-of.mts';
import {
	custom,
	customDays,
	days,
	freeze,
	now,
	times,
	unfreeze,
} from '../support/fields/range-reading.mts';

/** Open ranges end here, because the service's clock may be ahead. */
const openEnd = '2026-03-08T17:35:00.000Z';

beforeEach(() => freeze(now));
afterEach(unfreeze);

describe('a preset, in the time zone of the workflow', () => {
	it.each([
		['last24Hours', '2026-03-07T17:30:00.000Z', openEnd],
		['today', '2026-03-08T06:00:00.000Z', openEnd],
		['yesterday', '2026-03-07T06:00:00.000Z', '2026-03-08T05:59:59.999Z'],
		['last7Days', '2026-03-01T18:30:00.000Z', openEnd],
		['last30Days', '2026-02-06T18:30:00.000Z', openEnd],
		['thisWeek', '2026-03-02T06:00:00.000Z', openEnd],
		['thisMonth', '2026-03-01T06:00:00.000Z', openEnd],
		['lastMonth', '2026-02-01T06:00:00.000Z', '2026-03-01T05:59:59.999Z'],
	])('%s', (timeRange, start, end) => {
		expect(times({ timeRange })).toEqual([start, end]);
	});

	it('is Last 24 Hours when none is given', () => {
		expect(times({})).toEqual(['2026-03-07T17:30:00.000Z', openEnd]);
	});

	it("starts a day in the workflow's time zone, not in n8n's", () => {
		expect(times({ timeRange: 'today' }, 'Pacific/Auckland')).toEqual([
			'2026-03-08T11:00:00.000Z',
			openEnd,
		]);
		expect(times({ timeRange: 'today' }, 'UTC')).toEqual(['2026-03-08T00:00:00.000Z', openEnd]);
	});

	it('counts the 23 hours of the day on which the clocks go forward', () => {
		freeze('2026-03-09T17:00:00.000Z');
		expect(times({ timeRange: 'yesterday' })).toEqual([
			'2026-03-08T06:00:00.000Z',
			'2026-03-09T04:59:59.999Z',
		]);
	});

	it('counts the 25 hours of the day on which they go back', () => {
		freeze('2026-11-02T18:00:00.000Z');
		expect(times({ timeRange: 'yesterday' })).toEqual([
			'2026-11-01T05:00:00.000Z',
			'2026-11-02T05:59:59.999Z',
		]);
	});

	it('knows that December of last year comes before January', () => {
		freeze('2026-01-31T12:00:00.000Z');
		expect(times({ timeRange: 'lastMonth' }, 'UTC')).toEqual([
			'2025-12-01T00:00:00.000Z',
			'2025-12-31T23:59:59.999Z',
		]);
	});

	it.each(['Custom', 'lastYear', '__proto__', 7, ['today'], {}, true])(
		'%p is rejected',
		(timeRange) => {
			expect(() => times({ timeRange })).toThrow('Time Range must be one of');
			expect(() => days({ timeRange })).toThrow('Time Range must be one of');
		},
	);
});

describe('a custom range', () => {
	it("reads the date picker's text in the workflow's time zone", () => {
		expect(custom('2026-03-07T09:00:00', '2026-03-08T09:00:00')).toEqual([
			'2026-03-07T15:00:00.000Z',
			'2026-03-08T14:00:00.000Z',
		]);
	});

	it.each([
		['ISO text with a zone', '2026-03-07T09:00:00+09:00', '2026-03-07T00:00:00.000Z'],
		['ISO text in UTC', '2026-03-07T09:00:00.123Z', '2026-03-07T09:00:00.123Z'],
		['ISO text without seconds', '2026-03-07T09:00', '2026-03-07T15:00:00.000Z'],
		['text with a space in place of the T', '2026-03-07 09:00:00', '2026-03-07T15:00:00.000Z'],
		['a Date', new Date('2026-03-07T09:00:00Z'), '2026-03-07T09:00:00.000Z'],
		[
			'a Luxon DateTime of another zone',
			DateTime.fromISO('2026-03-07T09:00:00', { zone: 'Asia/Tokyo' }),
			'2026-03-07T00:00:00.000Z',
		],
		[
			'a DateTime of another copy of Luxon',
			{ toISO: () => '2026-03-07T09:00:00.000-05:00', isValid: true },
			'2026-03-07T14:00:00.000Z',
		],
		['a date', '2026-03-07', '2026-03-07T06:00:00.000Z'],
	])('starts at %s', (_name, start, sent) => {
		expect(custom(start, '2026-03-08T09:00:00')[0]).toBe(sent);
	});

	it('ends with the last moment of a date', () => {
		expect(custom('2026-03-07', '2026-03-07')).toEqual([
			'2026-03-07T06:00:00.000Z',
			'2026-03-08T05:59:59.999Z',
		]);
	});

	it('ends 5 minutes from now when no end is given', () => {
		expect(custom('2026-03-07')).toEqual(['2026-03-07T06:00:00.000Z', openEnd]);
	});

	it('ends 5 minutes from now when the end is in the future', () => {
		expect(custom('2026-03-07', '2026-03-31')[1]).toBe(openEnd);
		expect(custom('2027-01-01', '2027-01-02')).toEqual([
			'2027-01-01T06:00:00.000Z',
			'2027-01-03T05:59:59.999Z',
		]);
	});

	it('includes both passes of the hour that the clocks repeat', () => {
		freeze('2026-12-01T00:00:00.000Z');
		expect(custom('2026-11-01T01:30:00', '2026-11-01T01:30:00')).toEqual([
			'2026-11-01T06:30:00.000Z',
			'2026-11-01T07:30:00.000Z',
		]);
	});

	it('accepts a time that the clocks skipped', () => {
		expect(custom('2026-03-08T02:30:00')[0]).toBe('2026-03-08T08:30:00.000Z');
	});

	it('names both ends when the start is after the end', () => {
		expect(() => custom('2026-03-08T12:00:00', '2026-03-07T12:00:00')).toThrow(
			'Start must not be after End (2026-03-07T12:00:00.000-06:00) (it is "2026-03-08T12:00:00.000-05:00")',
		);
		expect(() => custom('2027-01-01')).toThrow('Start must not be after End (now)');
	});

	it.each([
		'soon',
		'2026-13-01',
		'2026-02-30',
		'2026',
		'2026-W10',
		'03/07/2026',
		'2026-03-07T25:00:00',
		'2026-03-07T',
		'1772900000000',
		1772900000000,
		...wrongTypes.map(([, value]) => value),
		{ toISO: () => null },
		{
			toISO: () => {
				throw new Error('of the object');
			},
		},
		new Date(NaN),
		DateTime.invalid('for a test'),
	])('names the field and the value when it cannot read %p', (value) => {
		expect(() => custom(value, '2026-03-08')).toThrow(
			/^Start must be a date such as 2026-03-08, or a date and time/,
		);
		expect(() => custom('2026-03-01', value)).toThrow(
			/^End must be a date such as 2026-03-08, or a date and time/,
		);
		expect(() => customDays(value, '2026-03-08')).toThrow(/^Start must be a date/);
	});

	it('shows the value that it cannot read', () => {
		expect(() => custom('next Tuesday')).toThrow('(it is "next Tuesday")');
	});

	it('needs a start', () => {
		expect(() => custom('')).toThrow('Start is required');
		expect(() => customDays(undefined)).toThrow('Start is required');
	});
});
