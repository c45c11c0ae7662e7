import { DateTime } from 'luxon';
import { startNodeRunner, type NodeRunner } from '../../support/operations/node-runner.mts';
import { setClock, stopClock } from '../../support/triggers/simulated-clock.mts';

// Presets and dates on days that are longer or shorter than 24 hours.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 0 });
	stopClock();
});
afterAll(async () => {
	jest.useRealTimers();
	await runner.close();
});
beforeEach(() => runner.reset());

/** The range that was requested, without the millisecond more at each end. */
async function sent(zone: string, parameters: object) {
	const list = { resource: 'call', operation: 'getAll', ...parameters };
	const { error } = await runner.run(list, { timezone: zone });
	expect(error).toBeUndefined();
	const [{ startTime, endTime } = {}] = runner.queries('listCalls');
	const shown = (time: unknown, more: number) =>
		DateTime.fromISO(String(time), { zone }).plus(more).toISO();
	return [shown(startTime, 1), shown(endTime, -1)];
}

it.each([
	['America/New_York', '2026-03-09T00:00:00', '2026-03-08T00:00:00.000-05:00', '-04:00'],
	['America/New_York', '2026-11-02T00:30:00', '2026-11-01T00:00:00.000-04:00', '-05:00'],
	['America/New_York', '2026-01-01T00:00:00', '2025-12-31T00:00:00.000-05:00', '-05:00'],
	['Australia/Lord_Howe', '2026-04-06T12:00:00', '2026-04-05T00:00:00.000+11:00', '+10:30'],
	['Australia/Lord_Howe', '2026-10-05T12:00:00', '2026-10-04T00:00:00.000+10:30', '+11:00'],
	['Asia/Kathmandu', '2026-03-08T12:00:00', '2026-03-07T00:00:00.000+05:45', '+05:45'],
	// No midnight: the day begins at 1 a.m.
	['America/Sao_Paulo', '2018-11-05T12:00:00', '2018-11-04T01:00:00.000-02:00', '-02:00'],
	['America/Sao_Paulo', '2018-02-18T12:00:00', '2018-02-17T00:00:00.000-02:00', '-03:00'],
	['Africa/Cairo', '2026-04-25T12:00:00', '2026-04-24T01:00:00.000+03:00', '+03:00'],
	// Midnight twice.
	['America/Havana', '2026-11-02T12:00:00', '2026-11-01T00:00:00.000-04:00', '-05:00'],
	['America/Havana', '2026-11-01T12:00:00', '2026-10-31T00:00:00.000-04:00', '-04:00'],
	['Atlantic/Azores', '2026-10-26T12:00:00', '2026-10-25T00:00:00.000+00:00', '-01:00'],
])('in %s at %s, yesterday began at %s and ended at %s', async (zone, now, start, offset) => {
	setClock(DateTime.fromISO(now, { zone }).toMillis());
	const end = `${start.slice(0, 10)}T23:59:59.999${offset}`;
	expect(await sent(zone, { timeRange: 'yesterday' })).toEqual([start, end]);
	runner.reset();
	const day = start.slice(0, 10);
	expect(await sent(zone, { timeRange: 'custom', startTime: day, endTime: day })).toEqual([
		start,
		end,
	]);
});

it.each([
	['today', '2026-11-01T12:00:00'],
	['thisMonth', '2026-11-30T12:00:00'],
])('%s begins with the first of two midnights', async (timeRange, now) => {
	const zone = 'America/Havana';
	setClock(DateTime.fromISO(now, { zone }).toMillis());
	expect((await sent(zone, { timeRange }))[0]).toBe('2026-11-01T00:00:00.000-04:00');
});

it('last month ends before the first of two midnights', async () => {
	const zone = 'America/Havana';
	setClock(DateTime.fromISO('2026-11-15T12:00:00', { zone }).toMillis());
	const [, end] = await sent(zone, { timeRange: 'lastMonth' });
	expect(end).toBe('2026-10-31T23:59:59.999-04:00');
});

it.each([
	['2026-03-08T23:59:59', '2026-03-08T23:59:59.999-06:00'],
	['2026-03-07T14:30:59', '2026-03-07T14:30:59.999-06:00'],
	['2026-03-07T14:30:00', '2026-03-07T14:30:00.000-06:00'],
	['2026-03-07T23:59:59.250', '2026-03-07T23:59:59.250-06:00'],
	['2026-03-08T23:59', '2026-03-08T23:59:59.999-06:00'],
	['2026-03-08 14:30', '2026-03-08T14:30:00.000-06:00'],
	['2026-03-08T23:59:00', '2026-03-08T23:59:00.000-06:00'],
])('an end that is typed as %s is %s', async (endTime, expected) => {
	setClock(Date.parse('2026-06-01T12:00:00Z'));
	const range = { timeRange: 'custom', startTime: '2026-03-01', endTime };
	expect((await sent('America/Regina', range))[1]).toBe(expected);
});
