import { DateTime } from 'luxon';
import { startNodeRunner, type NodeRunner } from '../../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 0 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const zones = ['America/Chicago', 'Pacific/Auckland', 'UTC'];

/**
 * Runs a list and gives the times that were asked for, as the workflow's zone shows them: a
 * millisecond more is sent at each end, which the service may not count.
 */
async function sent(parameters: object, timezone: string, items?: object[]) {
	const run = await runner.run(
		{ resource: 'call', operation: 'getAll', ...parameters },
		{ timezone, ...(items && { items: items.map((json) => ({ json: { ...json } })) }) },
	);
	expect(run.error).toBeUndefined();
	const { startTime, endTime } = runner.queries('listCalls')[0] ?? {};
	return {
		start: DateTime.fromISO(String(startTime), { zone: timezone }).plus(1),
		end: DateTime.fromISO(String(endTime), { zone: timezone }).minus(1),
	};
}

/** What a time of the workflow's zone can be, if midnight may have passed since `before`. */
const sinceThen = (before: number, zone: string, time: (now: DateTime) => DateTime) =>
	[before, Date.now()].map((ms) => time(DateTime.fromMillis(ms, { zone })).toISO());

const isNow = (moment: DateTime, before: number) => {
	expect(moment.toMillis()).toBeGreaterThanOrEqual(before);
	expect(moment.toMillis()).toBeLessThanOrEqual(Date.now());
};

describe.each(zones)('in the time zone %s', (zone) => {
	const startOf: Array<[string, (now: DateTime) => DateTime]> = [
		['last24Hours', (now) => now.minus({ hours: 24 })],
		['today', (now) => now.startOf('day')],
		['last7Days', (now) => now.minus({ days: 7 })],
		['last30Days', (now) => now.minus({ days: 30 })],
		['thisWeek', (now) => now.startOf('week')],
		['thisMonth', (now) => now.startOf('month')],
	];

	it.each(startOf)('%s ends now and starts at the right time', async (timeRange, expected) => {
		const before = Date.now();
		const { start, end } = await sent({ timeRange }, zone);
		const now = end.minus({ minutes: 5 });
		isNow(now, before);
		expect(start.toISO()).toBe(expected(now).toISO());
	});

	it.each([
		['yesterday', 'day'],
		['lastMonth', 'month'],
	] as const)('%s is a whole %s', async (timeRange, unit) => {
		const before = Date.now();
		const { start, end } = await sent({ timeRange }, zone);
		expect(sinceThen(before, zone, (now) => now.minus({ [unit]: 1 }).startOf(unit))).toContain(
			start.toISO(),
		);
		expect(end.toISO()).toBe(start.endOf(unit).toISO());
	});

	it("Custom accepts the date picker's text", async () => {
		const { start, end } = await sent(
			{ timeRange: 'custom', startTime: '2026-03-08T00:00:00', endTime: '2026-03-08T23:59:59' },
			zone,
		);
		expect(start.toFormat("yyyy-MM-dd'T'HH:mm:ss")).toBe('2026-03-08T00:00:00');
		expect(end.toFormat("yyyy-MM-dd'T'HH:mm:ss")).toBe('2026-03-08T23:59:59');
	});
});

describe('Custom accepts from an expression', () => {
	it.each([
		['a Luxon DateTime', "={{ DateTime.fromISO('2026-01-05T10:00:00Z') }}"],
		[
			'a Luxon DateTime of another zone',
			"={{ DateTime.fromISO('2026-01-05T10:00Z').setZone('Asia/Tokyo') }}",
		],
		['a Date', "={{ new Date('2026-01-05T10:00:00Z') }}"],
		['ISO text of the item', '={{ $json.time }}'],
		['ISO text with a zone', "={{ '2026-01-05T05:00:00-05:00' }}"],
	])('%s', async (_name, startTime) => {
		const { start } = await sent({ timeRange: 'custom', startTime }, 'America/Chicago', [
			{ time: '2026-01-05T10:00:00.000Z' },
		]);
		expect(start.toUTC().toISO()).toBe('2026-01-05T10:00:00.000Z');
	});

	it("n8n's own $now and $today", async () => {
		const before = Date.now();
		const { start, end } = await sent(
			{
				timeRange: 'custom',
				startTime: '={{ $today.minus({ days: 1 }) }}',
				endTime: '={{ $now }}',
			},
			'America/Chicago',
		);
		isNow(end.minus({ minutes: 5 }), before);
		const yesterday = (now: DateTime) => now.startOf('day').minus({ days: 1 });
		expect(sinceThen(before, 'America/Chicago', yesterday)).toContain(start.toISO());
	});
});

it("Time Range accepts an expression, without the other operations' fields", async () => {
	const before = Date.now();
	const { start } = await sent(
		{ timeRange: '={{ $json.range }}', startTime: '={{ $json.start }}' },
		'UTC',
		[{ range: 'yesterday' }],
	);
	const yesterday = (now: DateTime) => now.startOf('day').minus({ days: 1 });
	expect(sinceThen(before, 'UTC', yesterday)).toContain(start.toISO());
});

it("a list up to now ends 5 minutes later, in case the service's clock is ahead", async () => {
	const before = Date.now();
	const { end } = await sent(
		{ timeRange: 'custom', startTime: '2026-01-01', endTime: '2999-01-01' },
		'UTC',
	);
	isNow(end.minus({ minutes: 5 }), before);
});

it('all pages after the first are requested with the same end time', async () => {
	runner.sandbox.insert({ count: 90 });
	runner.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: { kind: 'clampLimit', max: 10 },
		times: 'always',
	});
	await runner.run({
		resource: 'call',
		operation: 'getAll',
		returnAll: true,
	});
	const ends = runner.queries('listCalls').map(({ endTime }) => endTime);
	expect(ends.length).toBeGreaterThan(4);
	expect(new Set(ends.slice(1)).size).toBe(1);
});

describe('analytics sends dates', () => {
	const run = async (parameters: object, timezone = 'America/Chicago') => {
		const { error } = await runner.run(
			{ resource: 'analytics', operation: 'getAll', ...parameters },
			{ timezone },
		);
		expect(error).toBeUndefined();
		return runner.queries('getAnalytics')[0];
	};

	it('of seven days by default, today included', async () => {
		const zone = 'Pacific/Auckland';
		const before = Date.now();
		const query = await run({}, zone);
		const today = DateTime.fromISO(String(query?.endDate), { zone });
		expect(sinceThen(before, zone, (now) => now.startOf('day'))).toContain(today.toISO());
		expect(query).toEqual({
			startDate: today.minus({ days: 6 }).toISODate(),
			endDate: today.toISODate(),
		});
	});

	it('as the picker and expressions give them', async () => {
		const range = { timeRange: 'custom', startDate: '2026-03-01' };
		expect(await run({ ...range, endDate: "={{ DateTime.fromISO('2026-03-08') }}" })).toEqual({
			startDate: '2026-03-01',
			endDate: '2026-03-08',
		});
	});

	it.each(["new Date('2026-03-08')", "'2026-03-08T00:00:00.000Z'", "'2026-03-08T00:00Z'"])(
		'of the day that %s means, also where that is still the day before',
		async (day) => {
			const range = { timeRange: 'custom', startDate: `={{ ${day} }}`, endDate: `={{ ${day} }}` };
			expect(await run(range)).toEqual({ startDate: '2026-03-08', endDate: '2026-03-08' });
		},
	);
});

it.each([
	['Start', { startTime: '2026-03-09', endTime: '2026-03-08' }, 'Start must not be after End'],
	['Start', { startTime: 'yesterday' }, 'Start must be a date such as 2026-03-08, or a'],
	['End', { startTime: '2026-03-09', endTime: '={{ 5 }}' }, 'End must be a date such as'],
	['Start', { startTime: "={{ '' }}" }, 'Start is required'],
])('an error names the field %s', async (_field, range, message) => {
	const { error } = await runner.run({
		resource: 'call',
		operation: 'getAll',
		timeRange: 'custom',
		...range,
	});
	expect(error?.message).toContain(message);
	expect(error?.description).toContain('Nothing was sent');
	expect(runner.queries('listCalls')).toEqual([]);
});
