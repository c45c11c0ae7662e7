import { DateTime } from 'luxon';
import {
	driver,
	drivers,
	openDispatch,
	type Dispatch,
	type DispatchRun,
} from '../support/calls/dispatch.mts';

let dispatch: Dispatch;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());
beforeEach(() => dispatch.reset());

const run = async (rules: object, parameters: object = {}, options: DispatchRun = {}) =>
	await dispatch.run({ skipIfCalledWithin: 0, rules: { ...rules }, ...parameters }, options);

const bodies = () => dispatch.sandbox.ledger.dialed().map(({ body }) => body);

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

function openHours(zone: string) {
	const now = DateTime.now().setZone(zone);
	return {
		hoursFrom: now.minus({ hours: 1 }).toFormat('HH:mm'),
		hoursTo: now.plus({ hours: 1 }).toFormat('HH:mm'),
	};
}

describe('Dry Run', () => {
	const waiting = { waitForOutcome: 'polling', waitLimit: 1 };

	it("sends nothing, and returns each item's request exactly as it would be sent", async () => {
		const two = drivers(2);
		const { items } = await run({ dryRun: true }, {}, { items: two, executionId: '77' });
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		expect(items).toEqual(
			two.map(({ e164, load }) =>
				expect.objectContaining({
					callId: null,
					placement: 'dryRun',
					toPhone: e164,
					loadNumber: load,
				}),
			),
		);
		await run({}, {}, { items: two, executionId: '77' });
		expect(items.map(({ request }) => request)).toEqual(
			bodies().map((body) => ({
				...{ method: 'POST', path: '/api/v1/track-and-trace/trigger-check-call', body },
			})),
		);
	});

	it('has the fields of a real call, so that the rest of the workflow can be tested', async () => {
		const [dry] = (await run({ dryRun: true })).items;
		const [real] = (await run({})).items;
		expect(Object.keys(dry ?? {})).toEqual(expect.arrayContaining(Object.keys(real ?? {})));
		const [waited] = (await run({ dryRun: true }, waiting)).items;
		expect(waited).toMatchObject({
			timedOut: false,
			summary: 'Dry run: no call was placed',
			transcript: 'Dry run: no call was placed',
		});
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it.each(['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'])(
		'places no call for %s, however it waits',
		async (operation) => {
			const fields = { operation, loadId: 'L1', dotNumber: 1234567, agentId: 'detention' };
			for (const waitForOutcome of ['no', 'polling', 'webhook']) {
				if (operation === 'createAgentCall' && waitForOutcome === 'webhook') continue;
				const { items, error } = await run({ dryRun: true }, { ...fields, waitForOutcome });
				expect(error).toBeUndefined();
				expect(items).toMatchObject([{ placement: 'dryRun' }]);
				expect(JSON.stringify(items)).not.toMatch('n8nResumeUrl');
			}
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);

	it('still applies all other rules, and checks the fields', async () => {
		const { e164 } = driver();
		const { items } = await run({ dryRun: true, doNotCall: e164 }, { toPhone: e164 });
		expect(items).toMatchObject([{ placement: 'doNotCall' }]);
		const { error } = await run({ dryRun: true }, { toPhone: '+1 876 555 0188' });
		expect(error?.message).toMatch('a number of Jamaica');
	});
});

describe('Test Number', () => {
	it('is called instead of everyone, and the items say so', async () => {
		const two = drivers(2);
		const { items } = await run({ testNumber: '(312) 555-0199' }, {}, { items: two });
		expect(dispatch.dialed()).toEqual(['+13125550199', '+13125550199']);
		expect(items).toMatchObject(
			two.map(({ e164, load }) => ({
				placement: 'placed',
				placementReason: `The test number was called instead of ${e164} (Calling Rules)`,
				toPhone: '+13125550199',
				testCallFor: e164,
				loadNumber: load,
			})),
		);
	});

	it('is not ignored when an expression returns nothing', async () => {
		const { error } = await run({ testNumber: '={{ $json.nobody }}' });
		expect(error?.message).toMatch('Test Number is empty; fill it in, or remove it');
		expect(dispatch.dialed()).toEqual([]);
	});
});

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
		expect(error?.description).toMatch(/may be placed from \d{4}-.*Z \(nextAllowedAt\)/);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('skip the item, and say when it can be called', async () => {
		const rules = { ...closedHours('America/Chicago'), outsideHours: 'skip' };
		const hawaii = { phone: '(808) 555-0100', load: 'L1', e164: '+18085550100' };
		const { items } = await run(rules, {}, { items: [chicago, hawaii] });
		const opening = DateTime.now().setZone('America/Chicago').plus({ hours: 2 }).startOf('minute');
		expect(items[0]).toMatchObject({
			callId: null,
			placement: 'outsideHours',
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

	it('use the time zone of the workflow or of the item', async () => {
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

	it('are checked again right before each call', async () => {
		// Open until the next minute begins, and the second call waits for its turn until then.
		const now = DateTime.now().setZone('America/Chicago');
		const rules = {
			hoursFrom: now.minus({ hours: 1 }).toFormat('HH:mm'),
			hoursTo: now.plus({ minutes: 1 }).toFormat('HH:mm'),
			outsideHours: 'skip',
		};
		const pace = 60 / (62 - now.second);
		const two = [chicago, { ...chicago, phone: '(312) 555-0101', load: 'L2' }];
		const { items } = await run(rules, { options: { callsPerMinute: pace } }, { items: two });
		expect(items).toMatchObject([{ placement: 'placed' }, { placement: 'outsideHours' }]);
		expect(dispatch.dialed()).toEqual(['+13125550100']);
	});
});

describe('Do Not Call', () => {
	it('skips listed numbers in any format, and places the other calls', async () => {
		const three = drivers(3);
		const doNotCall = [`1 ${three[1]?.phone} x7`];
		const { items } = await run({ doNotCall }, {}, { items: three });
		expect(items).toMatchObject([
			{ placement: 'placed' },
			{ placement: 'doNotCall', toPhone: three[1]?.e164, callId: null },
			{ placement: 'placed' },
		]);
		expect(dispatch.dialed()).toEqual([three[0]?.e164, three[2]?.e164]);
	});

	it('stops the node if set to, and no phone rings', async () => {
		const two = drivers(2);
		const rules = { doNotCall: `${two[1]?.e164}`, onDoNotCall: 'error' };
		const { error } = await run(rules, {}, { items: two });
		expect(error?.message).toMatch('is on the do-not-call list');
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('Allowed Countries', () => {
	it('are the United States, Canada, Mexico and the default country', async () => {
		const numbers = ['+13125550100', '+14165550100', '+525512345678', '+442079460958'];
		const items = numbers.map((phone, index) => ({ phone, load: `C${index}` }));
		const inBritain = { options: { defaultCountry: 'GB' } };
		expect((await run({}, inBritain, { items })).error).toBeUndefined();
		expect(dispatch.dialed()).toEqual(numbers);
		const { error } = await run({}, {}, { items });
		expect(error?.message).toMatch('a number of United Kingdom, which is not an allowed country');
	});

	it('must be given together with Send Phone Number as Typed for a premium-rate number', async () => {
		const premium = { toPhone: '+19005550188' };
		const asTyped = { ...premium, options: { sendPhoneAsIs: true } };
		const chosen = { allowedCountries: ['US'] };
		for (const [rules, fields] of [
			[{}, premium],
			[chosen, premium],
			[{}, asTyped],
		] as const) {
			expect((await run(rules, fields)).error?.message).toMatch('a premium-rate number');
		}
		expect(dispatch.dialed()).toEqual([]);
		expect((await run(chosen, asTyped)).items).toMatchObject([{ placement: 'placed' }]);
	});
});

describe('the caps', () => {
	const node = (id: string) => ({ node: { id } });

	it('reject a run with more items than Max Calls per Run before the first call', async () => {
		const { error } = await run({ maxCalls: 2 }, {}, { items: drivers(3) });
		expect(error?.message).toBe('No phone rang. There are 3 items, but Max Calls per Run is 2');
		expect(dispatch.dialed()).toEqual([]);
		expect((await run({ maxCalls: 3 }, {}, { items: drivers(3) })).items).toHaveLength(3);
	});

	it('default to 200 calls per run', async () => {
		const { error } = await run({}, {}, { items: drivers(201) });
		expect(error?.message).toMatch('There are 201 items, but Max Calls per Run is 200');
	});

	it('hold across 16 simultaneous executions of the node, with a slow database', async () => {
		dispatch.processedData.delayMs = 1;
		const rules = { maxCallsPerHour: 20, maxCallsPerDay: 1000 };
		const runs = await Promise.all(
			Array.from({ length: 16 }, async () =>
				run(
					rules,
					{ options: { callsInParallel: 4 } },
					{ items: drivers(5), node: { id: 'capped', onError: 'continueRegularOutput' } },
				),
			),
		);
		expect(dispatch.dialed()).toHaveLength(20);
		const items = runs.flatMap(({ items: some }) => some);
		expect(items.filter(({ placement }) => placement === 'placed')).toHaveLength(20);
		const refused = items.filter(({ error }) => error !== undefined);
		expect(refused).toHaveLength(60);
		expect(refused[0]).toMatchObject({
			error: expect.stringMatching(/^No phone rang\..*placed its 20 calls of this hour$/),
			details: { nextAllowedAt: expect.stringMatching(/Z$/) },
		});
	});

	it('do not count a call that the service rejected', async () => {
		dispatch.fail({ kind: 'status', status: 422 });
		const options = node('refused');
		expect((await run({ maxCallsPerHour: 1 }, {}, options)).error).toBeDefined();
		expect((await run({ maxCallsPerHour: 1 }, {}, options)).items).toMatchObject([
			{ placement: 'placed' },
		]);
		expect((await run({ maxCallsPerHour: 1 }, {}, options)).error?.message).toMatch(
			'placed its 1 calls of this hour',
		);
	});

	it('place no call when the database fails for a moment, and stay correct', async () => {
		const { processedData } = dispatch;
		const record = processedData.checkProcessedAndRecord.bind(processedData);
		const place = async () => await run({ maxCallsPerHour: 2 }, {}, node('hiccup'));
		await place();
		const before = JSON.stringify([...processedData.rows.values()]).length;
		let failures = 0;
		const spy = jest
			.spyOn(processedData, 'checkProcessedAndRecord')
			.mockImplementation(async (items, ...others) => {
				// Only the caps ask for so many at once.
				if (items.length > 50 && ++failures <= 2) throw new Error('The connection was lost');
				return await record(items, ...others);
			});
		const { error } = await place();
		expect(error?.message).toMatch(/^No phone rang\. .*can't be counted: The connection was lost/);
		expect(dispatch.dialed()).toHaveLength(1);
		spy.mockRestore();
		expect(JSON.stringify([...processedData.rows.values()])).toHaveLength(before);
		await place();
		expect((await place()).error?.message).toMatch('placed its 2 calls of this hour');
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('place no call while the database cannot be used', async () => {
		dispatch.processedData.broken = true;
		const { error } = await run({ maxCallsPerHour: 5 }, {}, node('broken'));
		expect(error?.message).toMatch("can't be counted");
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('a rule that was added and has no value', () => {
	it.each(['dryRun', 'hoursFrom', 'doNotCall', 'allowedCountries'])(
		'is an error, not a rule that is off: %s',
		async (rule) => {
			const { error } = await run({ [rule]: '={{ $json.missing }}' });
			expect(error?.message).toMatch('is empty; fill it in, or remove it from Calling Rules');
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	it.each([
		...[{ testNumber: '  ' }, { testNumber: '={{ " " }}' }, { hoursFrom: ' ' }],
		...[{ maxCallsPerHour: ' ' }, { allowedCountries: [''] }, { allowedCountries: ' , ' }],
		...[{ allowedCountries: '={{ [null] }}' }, { hoursDays: [''] }],
	])('is an error even if it is only spaces: %j', async (rules) => {
		const { error } = await run(rules);
		expect(error?.message).toMatch('is empty; fill it in, or remove it from Calling Rules');
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([
		[{ hoursZone: 'workflow' }, 'does nothing without Calling Hours From'],
		[{ hoursFrom: 'noon' }, 'must be a time such as 08:00'],
		[{ hoursFrom: '08:00', hoursTo: '8:00 am' }, 'must differ from Calling Hours From'],
		[{ hoursDays: ['mon'] }, 'must be days such as Monday'],
		[{ allowedCountries: ['USA'] }, 'must be ISO country codes such as US'],
		[{ maxCalls: '={{ $json.missing }}' }, 'Max Calls per Run is empty'],
		[{ doNotCall: ['Luis'] }, 'has an entry that is not a phone number'],
	])('or cannot be enforced is an error: %j', async (rules, why) => {
		const { error } = await run(rules);
		expect(error?.message).toMatch(why);
		expect(dispatch.dialed()).toEqual([]);
	});
});
