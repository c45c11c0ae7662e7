import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { driver, drivers, type Driver } from '../../support/calls/dispatch.mts';
import { hoursRule, useDispatch } from '../../support/calls/use-dispatch.mts';

// Before a list of loads is called, a dispatcher wants to see what would become of each row.

const dispatch = useDispatch();

const dry = { callMode: 'dryRun' };
const placements = (items: IDataObject[]) => items.map(({ placement }) => placement);
const hintsOf = (run: { hints: Array<{ message: string }> }) =>
	run.hints.map(({ message }) => message);

/** One that can be called, a bad phone, a foreign one, and the first again. */
function rows(): Driver[] {
	const good = driver();
	return [
		...[good, { ...driver(), phone: '(312) 555' }],
		...[{ ...driver(), phone: '+1 876 555 0188' }, good],
	];
}

describe('a dry run', () => {
	it('never stops: each item is a row that says what would happen', async () => {
		const items = rows();
		const rules = { skipIfCalledWithin: 10 };
		const { items: shown, error } = await dispatch.run({ ...dry, rules }, { items });
		expect(error).toBeUndefined();
		expect(shown).toMatchObject([
			{ placement: 'dryRun', toPhone: items[0]?.e164 },
			{
				...{
					placement: 'wouldFail',
					toPhone: '(312) 555',
					loadNumber: items[1]?.load,
				},
				placementReason: expect.stringMatching(
					/^To Phone has too few digits \(it is "\(312\) 555"\)\./,
				),
			},
			{
				...{ placement: 'wouldFail', toPhone: '+1 876 555 0188' },
				placementReason: expect.stringMatching(
					/number of Jamaica.*add Jamaica to Allowed Countries/,
				),
			},
			{ placement: 'skippedDuplicate' },
		]);
		expect(dispatch.sandbox.ledger.requests('triggerCheckCall')).toEqual([]);
	});

	it("is the same if the credential's Calls setting decides it", async () => {
		const own = dispatch.credentials.carrierLoadCommunicationsApi;
		const credentials = { carrierLoadCommunicationsApi: { ...own, callMode: 'dryRun' } };
		const { items } = await dispatch.run({}, { items: rows().slice(0, 3), credentials });
		expect(placements(items)).toEqual(['dryRun', 'wouldFail', 'wouldFail']);
	});

	it.each(['outcome', 'selected', 'all'])('does so with Output %s', async (output) => {
		const selectedFields = ['placement', 'loadNumber'];
		const parameters = { ...dry, output, ...(output === 'selected' && { selectedFields }) };
		const { items } = await dispatch.run(parameters, { items: rows().slice(0, 3) });
		expect(placements(items)).toEqual(['dryRun', 'wouldFail', 'wouldFail']);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['the closed hours', { rules: hoursRule({ from: '02:00', to: '02:01' }) }, /calling hours/],
		['a rule that is invalid', { rules: { allowedCountries: ['USA'] } }, /^Allowed Countries must/],
		['an expression that fails', { driverName: '={{ $("Nobody").item.json.x }}' }, /./],
		['an unknown output', { output: 'everything' }, /^Output must be one of/],
	])('has a row for each item with %s', async (_case, parameters, why) => {
		const { items } = await dispatch.run({ ...dry, ...parameters }, { items: drivers(2) });
		expect(placements(items)).toEqual(['wouldFail', 'wouldFail']);
		expect(items[0]?.placementReason).toMatch(why);
	});

	it('names a duplicate also among rows that wait for their hours', async () => {
		const [one, other] = drivers(2);
		if (!one || !other) throw new Error('There are no drivers');
		const closed = { hours: hoursRule({ from: '02:00', to: '02:01', outside: 'skip' }).hours };
		const items = [one, other, { ...one, phone: one.e164 }];
		const rules = { ...closed, skipIfCalledWithin: 10 };
		const { items: shown } = await dispatch.run({ ...dry, rules }, { items });
		expect(placements(shown)).toEqual(['outsideHours', 'outsideHours', 'outsideHours']);
		expect(shown.map(({ result }) => /same call as an earlier row/.test(String(result)))).toEqual([
			...[false, false, true],
		]);
		expect(shown[2]).toMatchObject({
			result: expect.stringMatching(
				/^Dry run: would not be called \(same call as an earlier row, and .* in /,
			),
			placementReason: expect.stringMatching(/calling hours.*\. An earlier item of this dry run/),
			nextAllowedAt: expect.stringMatching(/Z$/),
		});
		const allowed = { ...closed, skipIfCalledWithin: 0 };
		const twice = await dispatch.run({ ...dry, rules: allowed }, { items: [one, one] });
		expect(String(twice.items[1]?.result)).not.toContain('same call');
	});

	it('has a row for each item that a limit would refuse', async () => {
		const rules = { maxCallsPerHour: 2 };
		const run = { items: drivers(4), node: { id: 'limited' } };
		const { items } = await dispatch.run({ ...dry, rules }, run);
		expect(placements(items)).toEqual(['dryRun', 'dryRun', 'wouldFail', 'wouldFail']);
		expect(items[2]).toMatchObject({
			placementReason: expect.stringContaining('limit of 2 calls per hour'),
			nextAllowedAt: expect.stringMatching(/Z$/),
		});
	});

	it('has a row for each item if the call list cannot be read', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 403 },
		});
		const rules = { skipIfCalledWithin: 10 };
		const { items, error } = await dispatch.run({ ...dry, rules }, { items: drivers(2) });
		expect(error).toBeUndefined();
		expect(placements(items)).toEqual(['wouldFail', 'wouldFail']);
	});

	it('names in hints what would stop a live run before its first call', async () => {
		const rules = { maxCalls: 1 };
		const parameters = { ...dry, rules, waitForOutcome: 'webhook' };
		const run = await dispatch.run(parameters, { items: drivers(2) });
		expect(placements(run.items)).toEqual(['dryRun', 'dryRun']);
		expect(hintsOf(run)).toEqual(
			expect.arrayContaining([
				expect.stringMatching(
					/^A live run would stop.*There are 2 items, but Max Calls per Run is 1/,
				),
				expect.stringMatching(/^A live run would stop.*works for one item at a time/),
			]),
		);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'has the same columns first for every row with On Error %s',
		async (onError) => {
			const items = rows();
			const rules = { skipIfCalledWithin: 10 };
			const parameters = { ...dry, rules, driverName: '=Driver of {{ $json.load }}' };
			const run = await dispatch.run(parameters, { items, node: { onError } });
			expect(placements(run.items)).toEqual([
				...['dryRun', 'wouldFail', 'wouldFail', 'skippedDuplicate'],
			]);
			const first = ['loadNumber', 'contact', 'result', 'placement', 'placementReason'];
			expect(run.items.map((row) => Object.keys(row).slice(0, 5))).toEqual(items.map(() => first));
			expect(run.items[1]).toMatchObject({
				...{ loadNumber: items[1]?.load, contact: `Driver of ${items[1]?.load}` },
				result: expect.stringMatching(/^Dry run: would fail \(To Phone has too few digits/),
			});
			expect(run.items[2]?.result).toMatch(
				/^Dry run: would fail \(\+18765550188 is a number of Jamaica, which/,
			);
			const counts = '4 rows: 1 would be called, 1 would be skipped, 2 would fail.';
			const stopping = `${counts} A live run would stop before its first call because of rows 2 and 3. To call the others, set On Error on the Settings tab to Continue (using error output).`;
			expect(hintsOf(run)).toEqual([
				onError === 'stopWorkflow'
					? stopping
					: expect.stringMatching(new RegExp(`^${counts} Row 2: To Phone`)),
			]);
		},
	);

	it('has an outcome in each row that has no call, if it would wait for it', async () => {
		const rules = { skipIfCalledWithin: 10 };
		const parameters = { ...dry, rules, waitForOutcome: 'polling', waitLimit: 1 };
		const { items } = await dispatch.run(parameters, { items: rows() });
		const outcome = { outcome: 'unknown', summary: 'Dry run: no call was placed' };
		expect(items).toMatchObject([outcome, outcome, outcome, outcome]);
	});

	it('names in a hint what would stop a live run if the node continues on errors', async () => {
		const node = { onError: 'continueRegularOutput' } as const;
		const run = await dispatch.run({ ...dry, rules: { maxCalls: 1 } }, { items: drivers(2), node });
		expect(placements(run.items)).toEqual(['dryRun', 'dryRun']);
		expect(hintsOf(run)).toContainEqual(expect.stringMatching(/Max Calls per Run is 1/));
	});

	it('of some items leaves the others as strict as they are', async () => {
		const callMode = "={{ $json.dry ? 'dryRun' : 'live' }}";
		const [good, bad, foreign] = rows();
		const items = [
			{ ...good, dry: true },
			{ ...bad, dry: false },
			{ ...foreign, dry: true },
		];
		const { error } = await dispatch.run({ callMode }, { items });
		expect(error?.message).toMatch(/^No phone rang\. To Phone has too few digits/);
		const many = drivers(2).map((one, index) => ({ ...one, dry: index === 0 }));
		const limited = await dispatch.run({ callMode, rules: { maxCalls: 1 } }, { items: many });
		expect(limited.error?.message).toMatch('There are 2 items, but Max Calls per Run is 1');
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('a run that is not dry', () => {
	it('lists all items that cannot be called, with rows counted from 1', async () => {
		const { error } = await dispatch.run({}, { items: rows().slice(0, 3) });
		expect(error?.message).toBe('No phone rang. 2 of 3 items cannot be called');
		expect(error?.description).toMatch(
			/^Correct these rows.*Row 2: To Phone has too few digits.*Row 3: .*Jamaica/,
		);
		expect(dispatch.dialed()).toEqual([]);
	});
});
