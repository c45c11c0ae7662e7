import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { MINUTE, setClock, start, stopClock } from '../../support/triggers/simulated-clock.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);
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
		hoursFrom: now.plus({ hours: 2 }).toFormat('HH:mm'),
		hoursTo: now.plus({ hours: 3 }).toFormat('HH:mm'),
	};
}

const allDay = { hoursFrom: '00:00', hoursTo: '24:00' };

function openHours(zone: string) {
	const now = DateTime.now().setZone(zone);
	return {
		hoursFrom: now.minus({ hours: 1 }).toFormat('HH:mm'),
		hoursTo: now.plus({ hours: 1 }).toFormat('HH:mm'),
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
			/may be placed from \w+day \d\d:\d\d in [\w/]+ \(nextAllowedAt: \d{4}-.*Z\)/,
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('skip the item, and say when it can be called', async () => {
		const rules = { ...closedHours('America/Chicago'), outsideHours: 'skip' };
		const hawaii = { phone: '(808) 555-0100', load: 'L1', e164: '+18085550100' };
		const { items } = await run(rules, {}, { items: [chicago, hawaii] });
		const opening = DateTime.now().setZone('America/Chicago').plus({ hours: 2 }).startOf('minute');
		expect(items[0]).toMatchObject({
			placement: 'outsideHours',
			result: expect.stringMatching(/^Not called: \d{1,2}:\d\d [AP]M in Chicago$/),
			placementReason: expect.stringMatching('outside the calling hours'),
			nextAllowedAt: opening.toUTC().toISO(),
		});
		expect(items[1]).toMatchObject({ placement: 'outsideHours' });
		expect(dispatch.dialed()).toEqual([]);
	});

	it('send the item to the error output, with that time in its details', async () => {
		const rules = { ...closedHours('America/Chicago'), hoursZone: 'America/Chicago' };
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
		const { hoursFrom, hoursTo } = openHours('America/Chicago');
		const rules = { hoursFrom, hoursTo, hoursZone: '={{ $json.zone }}' };
		const items = zones.map((zone, index) => ({ ...chicago, load: `Z${index}`, zone }));
		const skipped = await run({ ...rules, outsideHours: 'skip' }, {}, { items });
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
		const today = await run(
			{ ...allDay, hoursDays: [day(now)], outsideHours: 'skip' },
			{},
			{ items },
		);
		expect(today.items).toMatchObject([{ placement: 'placed' }]);
		const after = now.plus({ days: 2 });
		const other = await run(
			{ ...allDay, hoursDays: [day(after)], outsideHours: 'skip' },
			{},
			{ items },
		);
		expect(other.items).toMatchObject([
			{
				placement: 'outsideHours',
				nextAllowedAt: after.startOf('day').toUTC().toISO(),
			},
		]);
		expect(
			(await run({ ...allDay, hoursDays: [day(after)] }, {}, { items })).error?.message,
		).toMatch(/^No phone rang\..*outside the calling hours/);
	});

	it('may span midnight', async () => {
		const now = DateTime.now().setZone('America/Chicago');
		const at = (hours: number) => now.plus({ hours }).startOf('hour').toFormat('HH:mm');
		const items = [chicago];
		// All day except for one hour, which is now or is not.
		const open = await run({ hoursFrom: at(-1), hoursTo: at(-2) }, {}, { items });
		expect(open.items).toMatchObject([{ placement: 'placed' }]);
		const closed = { hoursFrom: at(2), hoursTo: at(-1), outsideHours: 'skip' };
		expect((await run(closed, {}, { items })).items).toMatchObject([{ placement: 'outsideHours' }]);
	});

	it('use the time zone of the workflow', async () => {
		const options = { items: [chicago], timezone: 'Asia/Tokyo' };
		const rules = { hoursZone: 'workflow', outsideHours: 'skip' };
		expect((await run({ ...rules, ...openHours('Asia/Tokyo') }, {}, options)).items).toMatchObject([
			{ placement: 'placed' },
		]);
		expect(
			(await run({ ...rules, ...closedHours('Asia/Tokyo') }, {}, options)).items,
		).toMatchObject([{ placement: 'outsideHours' }]);
	});

	it('use the time zone of the test number if that is called', async () => {
		const rules = { ...openHours('Pacific/Honolulu'), outsideHours: 'skip' };
		const honolulu = { ...rules, testNumber: '(808) 555-0199' };
		expect((await run(honolulu, {}, { items: [chicago] })).items).toMatchObject([
			{ placement: 'placed', testCallFor: chicago.e164 },
		]);
		expect((await run(rules, {}, { items: [chicago] })).items).toMatchObject([
			{ placement: 'outsideHours' },
		]);
	});

	it.each(['EST', 'local', 'Chicago', 'UTC-6', 'America/Gotham'])(
		'are never open in an invalid time zone: %s',
		async (hoursZone) => {
			const { error } = await run({ hoursFrom: '00:00', hoursZone }, {}, { items: [chicago] });
			expect(error?.message).toMatch(/^No phone rang\. Calling Hours Zone must be a time zone/);
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	it('use the time zone of the item', async () => {
		const own = { ...closedHours('Asia/Tokyo'), hoursZone: '={{ $json.zone }}' };
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
		const rules = { ...closedHours('Asia/Tokyo'), hoursZone: '={{ $json.zone }}' };
		const items = Array.from({ length: 50 }, () => ({ ...chicago, zone: 'Asia/Tokyo' }));
		await run({ ...rules, outsideHours: 'skip' }, {}, { items: items.slice(0, 1) });
		const lookUp = jest.spyOn(Intl, 'DateTimeFormat');
		const { items: skipped } = await run({ ...rules, outsideHours: 'skip' }, {}, { items });
		const lookUps = lookUp.mock.calls.length;
		lookUp.mockRestore();
		expect(skipped).toHaveLength(50);
		expect(lookUps).toBeLessThan(10);
	});

	it('are checked again right before each call', async () => {
		// It is noon, and they close while the first call is placed.
		const rules = { hoursFrom: '00:00', hoursTo: '12:01', hoursZone: 'UTC', outsideHours: 'skip' };
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
		{ hoursFrom: '9', hoursTo: '5' },
		{ hoursFrom: '9:00', hoursTo: '5:00' },
		{ hoursFrom: '10', hoursTo: '6' },
		{ hoursFrom: '8:00', hoursTo: '6:00' },
		{ hoursFrom: '1', hoursTo: '5' },
		{ hoursFrom: '6', hoursTo: '9 PM' },
	])('are rejected because they could last through the night: %j', async (hours) => {
		const { error } = await run(hours, {}, { items: [driver] });
		expect(error?.message).toMatch(
			/^No phone rang\. Calling Hours (From|To) could mean morning or afternoon; write \d+ AM or \d+ PM, or two digits such as \d\d:00/,
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([
		[{ hoursTo: '20:00' }, 'Calling Hours From is missing'],
		[{ hoursFrom: '08:00' }, 'Calling Hours To is missing'],
		[{ hoursDays: ['monday'] }, 'Calling Hours From is missing'],
	])('are rejected without both ends: %j', async (hours, why) => {
		const { error } = await run(hours, {}, { items: [driver] });
		expect(error?.message).toContain(why);
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([
		{ hoursFrom: '8 a.m.', hoursTo: '8 p.m.' },
		{ hoursFrom: '8a', hoursTo: '8p' },
		{ hoursFrom: '0800', hoursTo: '2000' },
		{ hoursFrom: '08:00:00', hoursTo: '20:00:00' },
		{ hoursFrom: '8', hoursTo: '20' },
		{ hoursFrom: '10 PM', hoursTo: '6 AM' },
		{ hoursFrom: '22:00', hoursTo: '06:00' },
	])('are read as people write them: %j', async (hours) => {
		const { items } = await run(
			{ ...hours, hoursZone: 'UTC', outsideHours: 'skip' },
			{},
			{ items: [driver] },
		);
		expect(items).toMatchObject([
			{
				placement:
					String(hours.hoursFrom).startsWith('8') || hours.hoursFrom.startsWith('08')
						? 'placed'
						: 'outsideHours',
			},
		]);
	});
});

describe('the calling hours of a node that says nothing of rules', () => {
	// As an imported workflow may be, or one that was written by hand.
	const parameters = {
		...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 1 },
		...{ toPhone: '(312) 555-0100', loadNumber: 'L0', skipIfCalledWithin: 0 },
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
		expect((await runNode({ rules: {} })).items).toMatchObject([{ placement: 'placed' }]);
	});
});
