import {
	refuseHours,
	type CallingHours,
} from '../../../../nodes/CarrierLoadCommunications/calls/rules/hours.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

interface Hours {
	from?: string;
	to?: string;
	days?: number[];
	zone?: string;
	outside?: 'error' | 'skip';
}

const minutes = (time: string) => {
	const [hours = 0, rest = 0] = time.split(':').map(Number);
	return hours * 60 + rest;
};

const hours = ({
	from = '08:00',
	to = '20:00',
	days = EVERY_DAY,
	...more
}: Hours): CallingHours => ({
	from: minutes(from),
	to: minutes(to),
	days: new Set(days),
	zone: 'phone',
	outside: 'error',
	...more,
});

const CHICAGO = '+13125550188';
const refuse = (now: string, rule: Hours = {}, toPhone = CHICAGO) =>
	refuseHours(hours(rule), { toPhone }, new Date(now));
const next = (now: string, rule: Hours = {}, toPhone = CHICAGO) =>
	refuse(now, rule, toPhone)?.nextAllowedAt;

describe('the calling hours', () => {
	it("are in the number's time zone, and do not include their last minute", () => {
		expect(next('2026-01-15T13:59:59Z')).toBe('2026-01-15T14:00:00.000Z');
		expect(refuse('2026-01-15T14:00:00Z')).toBeUndefined();
		expect(refuse('2026-01-16T01:59:59Z')).toBeUndefined();
		expect(next('2026-01-16T02:00:00Z')).toBe('2026-01-16T14:00:00.000Z');
	});

	it('may span midnight', () => {
		const night = { from: '22:00', to: '06:00' };
		expect(refuse('2026-01-15T05:00:00Z', night)).toBeUndefined();
		expect(next('2026-01-15T12:00:00Z', night)).toBe('2026-01-16T04:00:00.000Z');
	});

	it('belong to the day on which they begin when they span midnight', () => {
		const fridayNight = { from: '22:00', to: '06:00', days: [5] };
		// Friday 23:00 and Saturday 05:00 in Chicago, then Friday 05:00.
		expect(refuse('2026-01-17T05:00:00Z', fridayNight)).toBeUndefined();
		expect(refuse('2026-01-17T11:00:00Z', fridayNight)).toBeUndefined();
		expect(next('2026-01-16T11:00:00Z', fridayNight)).toBe('2026-01-17T04:00:00.000Z');
	});

	it('apply on their days only', () => {
		const weekdays = { days: [1, 2, 3, 4, 5] };
		// Saturday noon in Chicago.
		expect(next('2026-01-17T18:00:00Z', weekdays)).toBe('2026-01-19T14:00:00.000Z');
	});

	it('must be open in all time zones that a number may be in', () => {
		// Area code 208 is Idaho: Mountain Time in the south, Pacific Time in the north.
		const idaho = '+12082005500';
		expect(next('2026-01-15T15:30:00Z', {}, idaho)).toBe('2026-01-15T16:00:00.000Z');
		expect(next('2026-01-16T03:00:00Z', {}, idaho)).toBe('2026-01-16T16:00:00.000Z');
	});

	it('follow the clock when it changes', () => {
		// New York: forward on 2026-03-08 at 2:00, back on 2026-11-01 at 2:00.
		const newYork = '+12125550188';
		expect(next('2026-03-08T05:00:00Z', {}, newYork)).toBe('2026-03-08T12:00:00.000Z');
		expect(next('2026-11-01T04:00:00Z', {}, newYork)).toBe('2026-11-01T13:00:00.000Z');
		// 2:30 does not exist on the first of these nights: the clock jumps to 3:00.
		expect(next('2026-03-08T06:00:00Z', { from: '02:30' }, newYork)).toBe(
			'2026-03-08T07:00:00.000Z',
		);
		// 1:30 comes twice on the second one.
		const early = { from: '01:30', to: '02:00' };
		expect(next('2026-11-01T06:10:00Z', early, newYork)).toBe('2026-11-01T06:30:00.000Z');
	});

	it('use the time zone that is set', () => {
		expect(next('2026-01-15T15:00:00Z', { zone: 'America/Los_Angeles' })).toBe(
			'2026-01-15T16:00:00.000Z',
		);
	});

	it('say when they are never open in all zones at the same time', () => {
		const tollFree = '+18005550188';
		const refused = refuse('2026-01-15T15:00:00Z', { from: '08:00', to: '09:00' }, tollFree);
		expect(refused?.nextAllowedAt).toBeUndefined();
		expect(refused?.advice).toMatch('never open in all time zones');
	});

	it('say what to change', () => {
		expect(refuse('2026-01-15T09:00:00Z', { outside: 'skip' })).toEqual({
			skippedAs: 'outsideHours',
			inShort: '3:00 AM in Chicago, outside calling hours',
			reason: 'It is Thursday 03:00 in America/Chicago, outside the calling hours (08:00 to 20:00)',
			advice:
				'The call may be placed from Thursday 08:00 in America/Chicago. To call earlier, change the hours, days or zone of Calling Hours (Safety)',
			nextAllowedAt: '2026-01-15T14:00:00.000Z',
		});
	});
});
