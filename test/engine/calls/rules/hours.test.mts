import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { MINUTE, setClock, start, stopClock } from '../../support/triggers/simulated-clock.mts';
import type { DispatchRun } from '../../support/calls/dispatch.mts';
import { hoursRule, useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const withAny = withRules(dispatch);
const run = async (range: INodeParameters, ...others: [INodeParameters?, DispatchRun?]) =>
	await withAny(hoursRule(range), ...others);
afterEach(() => void jest.useRealTimers());
beforeEach(() => {
	// Monday noon, so that no test depends on the day it runs on.
	stopClock();
});

const onError = (how: 'continueErrorOutput' | 'continueRegularOutput') => ({
	node: { onError: how },
});

/** Hours that begin in two hours and end in three, on the clock of a zone. */
function closedHours(zone: string) {
	const now = DateTime.now().setZone(zone);
	return {
		from: now.plus({ hours: 2 }).toFormat('HH:mm'),
		to: now.plus({ hours: 3 }).toFormat('HH:mm'),
	};
}

const allDay = { from: '00:00', to: '24:00' };

function openHours(zone: string) {
	const now = DateTime.now().setZone(zone);
	return {
		from: now.minus({ hours: 1 }).toFormat('HH:mm'),
		to: now.plus({ hours: 1 }).toFormat('HH:mm'),
	};
}

describe('the calling hours', () => {
	const chicago = { phone: '(312) 555-0100', load: 'L0', e164: '+13125550100' };

	it("place the call while they are open in the number's time zone", async () => {
		const { items } = await run(openHours('America/Chicago'), {}, { items: [chicago] });
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});

	it('stop the node before the first call while they are closed', async () => {
		const rules = { ...closedHours('America/Chicago') };
		const { error } = await run(rules, {}, { items: [chicago] });
		expect(error?.message).toMatch(/^No phone rang.*outside the calling hours/);
		expect(error?.description).toMatch(
			/may be placed from \w+day \d\d:\d\d in [\w/]+\. To call earlier, change/,
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('skip the item, and say when it can be called', async () => {
		const rules = { ...closedHours('America/Chicago'), outside: 'skip' };
		const hawaii = { phone: '(808) 555-0100', load: 'L1', e164: '+18085550100' };
		const { items } = await run(rules, {}, { items: [chicago, hawaii] });
		const opening = DateTime.now().setZone('America/Chicago').plus({ hours: 2 }).startOf('minute');
		expect(items[0]).toMatchObject({
			placement: 'outsideHours',
			result: expect.stringMatching(
				/^Not called: \d{1,2}:\d\d [AP]M in Chicago, outside calling hours$/,
			),
			placementReason: expect.stringMatching('outside the calling hours'),
			nextAllowedAt: opening.toUTC().toISO(),
		});
		expect(items[1]).toMatchObject({ placement: 'outsideHours' });
		expect(dispatch.dialed()).toEqual([]);
	});

	it('send the item to the error output, with that time in its details', async () => {
		const rules = { ...closedHours('America/Chicago'), zone: 'America/Chicago' };
		const { output } = await run(
			rules,
			{},
			{ items: [chicago], ...onError('continueErrorOutput') },
		);
		expect(output(0)).toEqual([]);
		expect(output(1)).toMatchObject([
			{ json: { details: { nextAllowedAt: expect.stringMatching(/Z$/) } } },
		]);
	});

	it('place the open items of a run, and refuse the closed ones', async () => {
		const zones = ['America/Chicago', 'Asia/Tokyo', 'America/Chicago'];
		const { from, to } = openHours('America/Chicago');
		const rules = { from, to, zone: '={{ $json.zone }}' };
		const items = zones.map((zone, index) => ({ ...chicago, load: `Z${index}`, zone }));
		const skipped = await run({ ...rules, outside: 'skip' }, {}, { items });
		expect(skipped.items.map(({ placement }) => placement)).toEqual([
			...['placed', 'outsideHours', 'placed'],
		]);
		expect(skipped.items[1]?.nextAllowedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
		const { output } = await run(rules, {}, { items, ...onError('continueErrorOutput') });
		expect(output(0)).toHaveLength(2);
		expect(output(1)).toMatchObject([
			{ json: { details: { nextAllowedAt: skipped.items[1]?.nextAllowedAt } } },
		]);
		expect(dispatch.dialed()).toHaveLength(4);
	});

	it('are open only on the Calling Days, and say when the next one begins', async () => {
		const now = DateTime.now().setZone('America/Chicago');
		const day = (from: DateTime) => from.setLocale('en').toFormat('cccc').toLowerCase();
		const items = [chicago];
		const today = await run({ ...allDay, days: [day(now)], outside: 'skip' }, {}, { items });
		expect(today.items).toMatchObject([{ placement: 'placed' }]);
		const after = now.plus({ days: 2 });
		const other = await run({ ...allDay, days: [day(after)], outside: 'skip' }, {}, { items });
		expect(other.items).toMatchObject([
			{
				placement: 'outsideHours',
				nextAllowedAt: after.startOf('day').toUTC().toISO(),
			},
		]);
		expect((await run({ ...allDay, days: [day(after)] }, {}, { items })).error?.message).toMatch(
			/^No phone rang\..*outside the calling hours/,
		);
	});

	it('may span midnight', async () => {
		const now = DateTime.now().setZone('America/Chicago');
		const at = (hours: number) => now.plus({ hours }).startOf('hour').toFormat('HH:mm');
		const items = [chicago];
		// All day except for one hour, which is now or is not.
		const open = await run({ from: at(-1), to: at(-2) }, {}, { items });
		expect(open.items).toMatchObject([{ placement: 'placed' }]);
		const closed = { from: at(2), to: at(-1), outside: 'skip' };
		expect((await run(closed, {}, { items })).items).toMatchObject([{ placement: 'outsideHours' }]);
	});

	it('use the time zone of the workflow', async () => {
		const options = { items: [chicago], timezone: 'Asia/Tokyo' };
		const rules = { zone: 'workflow', outside: 'skip' };
		expect((await run({ ...rules, ...openHours('Asia/Tokyo') }, {}, options)).items).toMatchObject([
			{ placement: 'placed' },
		]);
		expect(
			(await run({ ...rules, ...closedHours('Asia/Tokyo') }, {}, options)).items,
		).toMatchObject([{ placement: 'outsideHours' }]);
	});

	it('use the time zone of the test number if that is called', async () => {
		const rules = { ...openHours('Pacific/Honolulu'), outside: 'skip' };
		const honolulu = { callMode: 'testNumber', testNumber: '(808) 555-0199' };
		expect((await run(rules, honolulu, { items: [chicago] })).items).toMatchObject([
			{ placement: 'placed', testCallFor: chicago.e164 },
		]);
		expect((await run(rules, {}, { items: [chicago] })).items).toMatchObject([
			{ placement: 'outsideHours' },
		]);
	});

	it.each(['EST', 'local', 'Chicago', 'UTC-6', 'America/Gotham'])(
		'are never open in an invalid time zone: %s',
		async (zone) => {
			const { error } = await run({ from: '00:00', zone }, {}, { items: [chicago] });
			expect(error?.message).toMatch(/^No phone rang\. Calling Hours Zone must be a time zone/);
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	it('use the time zone of the item', async () => {
		const own = { ...closedHours('Asia/Tokyo'), zone: '={{ $json.zone }}' };
		const tokyo = [{ ...chicago, zone: 'Asia/Tokyo' }];
		const { error } = await run(own, {}, { items: tokyo });
		expect(error?.message).toMatch('in Asia/Tokyo');
		const { error: unknown } = await run(own, {}, { items: [{ ...chicago, zone: 'Chicago' }] });
		expect(unknown?.message).toMatch('must be a time zone such as America/Chicago');
		const { error: missing } = await run(own, {}, { items: [chicago] });
		expect(missing?.message).toMatch('Calling Hours Zone is empty');
		expect(dispatch.dialed()).toEqual([]);
	});

	it('look a time zone up once, not for each item', async () => {
		const rules = { ...closedHours('Asia/Tokyo'), zone: '={{ $json.zone }}' };
		const items = Array.from({ length: 50 }, () => ({ ...chicago, zone: 'Asia/Tokyo' }));
		await run({ ...rules, outside: 'skip' }, {}, { items: items.slice(0, 1) });
		const lookUp = jest.spyOn(Intl, 'DateTimeFormat');
		const { items: skipped } = await run({ ...rules, outside: 'skip' }, {}, { items });
		const lookUps = lookUp.mock.calls.length;
		lookUp.mockRestore();
		expect(skipped).toHaveLength(50);
		expect(lookUps).toBeLessThan(10);
	});

	it('are checked again right before each call', async () => {
		// It is noon, and they close while the first call is placed.
		const rules = { from: '00:00', to: '12:01', zone: 'UTC', outside: 'skip' };
		const two = [chicago, { ...chicago, phone: '(312) 555-0101', load: 'L2' }];
		dispatch.fail({ kind: 'latency', ms: 300 });
		const running = run(rules, {}, { items: two });
		while (dispatch.sandbox.ledger.requests().length === 0) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		setClock(start + MINUTE);
		const { items } = await running;
		expect(items).toMatchObject([{ placement: 'placed' }, { placement: 'outsideHours' }]);
		expect(dispatch.dialed()).toEqual(['+13125550100']);
	});
});

describe('calling hours that are half filled in', () => {
	const driver = { phone: '(312) 555-0100', load: 'L0', e164: '+13125550100' };

	it.each([
		{ from: '9', to: '5' },
		{ from: '9:00', to: '5:00' },
		{ from: '10', to: '6' },
		{ from: '8:00', to: '6:00' },
		{ from: '1', to: '5' },
		{ from: '6', to: '9 PM' },
		{ from: '12', to: '10' },
		{ from: '11', to: '10' },
		{ from: '06', to: '9 PM' },
		{ from: '12:00', to: '10' },
		{ from: '8', to: '20' },
		{ from: '8', to: '10 PM' },
	])('are rejected because they could last through the night: %j', async (hours) => {
		const { error } = await run(hours, {}, { items: [driver] });
		expect(error?.message).toMatch(
			/^No phone rang\. Calling Hours (From|To) must be a time such as 08:00 or 8 AM, with four digits/,
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([
		[{ to: '20:00' }, 'Calling Hours From is missing'],
		[{ from: '08:00' }, 'Calling Hours To is missing'],
		[{ days: ['monday'] }, 'Calling Hours From is missing'],
	])('are rejected without both ends: %j', async (hours, why) => {
		const { error } = await run(hours, {}, { items: [driver] });
		expect(error?.message).toContain(why);
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([
		{ from: '8 a.m.', to: '8 p.m.' },
		{ from: '8a', to: '8p' },
		{ from: '0800', to: '2000' },
		{ from: '08:00:00', to: '20:00:00' },
		{ from: '10 PM', to: '6 AM' },
		{ from: '22:00', to: '06:00' },
		{ from: '20:00', to: '11:30' },
	])('are read as people write them: %j', async (hours) => {
		const { items } = await run(
			{ ...hours, zone: 'UTC', outside: 'skip' },
			{},
			{ items: [driver] },
		);
		expect(items).toMatchObject([
			{
				placement:
					String(hours.from).startsWith('8') || hours.from.startsWith('08')
						? 'placed'
						: 'outsideHours',
			},
		]);
	});
});

describe('the calling hours of an overlay', () => {
	const [kentucky, quebec] = [
		['America/Chicago', 'America/New_York'],
		['America/Halifax', 'America/Toronto'],
	];
	const columbia = ['America/Edmonton', 'America/Vancouver'];

	it.each([
		...[364, 448, 930].map((code) => [code, kentucky]),
		[458, ['America/Denver', 'America/Los_Angeles']],
		[474, ['America/Regina', 'America/Winnipeg']],
		...[581, 367].map((code) => [code, quebec]),
		...[778, 236, 672, 257].map((code) => [code, columbia]),
	] as Array<[number, string[]]>)(
		'must be open in all zones of its region: %i, %j',
		async (code, zones) => {
			// In summer, when no two of them have the same time.
			setClock(Date.parse('2026-07-06T17:00:00Z'));
			const items = [{ phone: `(${code}) 555-0100`, load: 'L0' }];
			for (const zone of zones) {
				const open = { ...openOnlyIn(zone), outside: 'skip' };
				const { items: rows } = await run(open, {}, { items });
				expect(rows).toMatchObject([{ placement: 'outsideHours' }]);
			}
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	/** Open in this zone only, and not where it is an hour later or earlier. */
	function openOnlyIn(zone: string) {
		const at = (minutes: number) =>
			DateTime.now().setZone(zone).plus({ minutes }).toFormat('HH:mm');
		return { from: at(-5), to: at(5) };
	}
});

describe('the calling hours of a node that says nothing of rules', () => {
	// As an imported workflow may be, or one that was written by hand.
	const parameters = {
		...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 1 },
		...{ toPhone: '(312) 555-0100', loadNumber: 'L0' },
	};
	const runNode = async (more: INodeParameters = {}) => {
		const { engine, credentials } = dispatch;
		return await engine.runNode({ ...parameters, ...more }, { credentials });
	};
	/** Monday, in Chicago. */
	const at = (hour: string) => setClock(Date.parse(`2026-03-02T${hour}:00-06:00`));

	it.each(['07:59', '20:00', '03:00'])('keep its call from being placed at %s', async (hour) => {
		at(hour);
		const { error } = await runNode();
		expect(error?.message).toMatch(
			new RegExp(
				`^No phone rang.*It is Monday ${hour} in America/Chicago, outside .*08:00 to 20:00`,
			),
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each(['08:00', '19:59'])('are open at %s', async (hour) => {
		at(hour);
		expect((await runNode()).items).toMatchObject([{ placement: 'placed' }]);
	});

	it('are off if someone removed them: then the workflow has rules without them', async () => {
		at('03:00');
		expect((await runNode({ rules: { skipIfCalledWithin: 0 } })).items).toMatchObject([
			{ placement: 'placed' },
		]);
	});
});
