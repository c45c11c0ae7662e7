import { driver, drivers } from '../../support/calls/dispatch.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);
const dry = { callMode: 'dryRun' };
const someDry = { callMode: "={{ $json.dry ? 'dryRun' : 'live' }}" };
const test = { callMode: 'testNumber', testNumber: '(312) 555-0199' };

const bodies = () => dispatch.sandbox.ledger.dialed().map(({ body }) => body);

describe('Dry Run', () => {
	const waiting = { waitForOutcome: 'polling', waitLimit: 1 };

	it("sends nothing, and returns each item's request exactly as it would be sent", async () => {
		const two = drivers(2);
		const { items } = await run({}, dry, { items: two, executionId: '77' });
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		expect(items).toEqual(
			two.map(({ e164, load }) =>
				expect.objectContaining({
					placement: 'dryRun',
					result: 'Dry run: would be called',
					toPhone: e164,
					loadNumber: load,
				}),
			),
		);
		await run({}, {}, { items: two, executionId: '77' });
		expect(items.map(({ request }) => JSON.parse(String(request)))).toEqual(
			bodies().map((body) => ({
				...{ method: 'POST', path: '/api/v1/track-and-trace/trigger-check-call', body },
			})),
		);
	});

	it('has the fields of a real call, so that the rest of the workflow can be tested', async () => {
		const all = { output: 'all' };
		const [rehearsed] = (await run({}, { ...dry, ...all })).items;
		const { answer, ...real } = (await run({}, all)).items[0] ?? {};
		expect(answer).toBeDefined();
		expect(Object.keys(rehearsed ?? {})).toEqual(expect.arrayContaining(Object.keys(real)));
		const [waited] = (await run({}, { ...dry, ...waiting })).items;
		expect(waited).toMatchObject({
			timedOut: false,
			summary: 'Dry run: no call was placed',
			transcript: 'Dry run: no call was placed',
		});
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it.each(['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'])(
		'places no call for %s with any setting of Wait for Outcome',
		async (operation) => {
			const fields = { operation, loadId: 'L1', dotNumber: 1234567, agentId: 'detention' };
			for (const waitForOutcome of ['no', 'polling', 'webhook']) {
				if (operation === 'createAgentCall' && waitForOutcome === 'webhook') continue;
				const { items, error } = await run({}, { ...dry, ...fields, waitForOutcome });
				expect(error).toBeUndefined();
				expect(items).toMatchObject([{ placement: 'dryRun' }]);
				expect(JSON.stringify(items)).not.toMatch('n8nResumeUrl');
			}
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);

	it('still applies all other rules, and checks the fields', async () => {
		const { e164 } = driver();
		const { items } = await run({ doNotCall: e164 }, { ...dry, toPhone: e164 });
		expect(items).toMatchObject([
			{ placement: 'doNotCall', result: 'Dry run: would not be called (on the do-not-call list)' },
		]);
		const { items: failing } = await run({}, { ...dry, toPhone: '+1 876 555 0188' });
		expect(failing).toMatchObject([
			{ placement: 'wouldFail', placementReason: expect.stringContaining('a number of Jamaica') },
		]);
	});
});

describe('a dry run, after all other rules,', () => {
	it('shows the call that Skip If Called Within finds', async () => {
		const two = drivers(2);
		const guarded = { rules: { skipIfCalledWithin: 10 } };
		const [real] = (await run({}, guarded, { items: two.slice(0, 1) })).items;
		const { items } = await run({}, { ...dry, ...guarded }, { items: two });
		expect(items).toMatchObject([
			{
				...{ placement: 'skippedDuplicate', callId: real?.callId },
				result: 'Dry run: would be skipped (called less than a minute ago)',
			},
			{ placement: 'dryRun', toPhone: two[1]?.e164 },
		]);
		dispatch.restartProcess();
		// Now only the call list knows the call.
		expect((await run({}, { ...dry, ...guarded }, { items: two })).items).toMatchObject([
			{ placement: 'skippedDuplicate', callId: real?.callId },
			{ placement: 'dryRun' },
		]);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('shows which of its own items would be a duplicate, and which would get no outcome', async () => {
		const one = driver();
		const parameters = {
			rules: { skipIfCalledWithin: 10 },
			waitForOutcome: 'polling',
			waitLimit: 1,
		};
		const { items } = await run({}, { ...dry, ...parameters }, { items: [one, one] });
		expect(items).toMatchObject([
			{ placement: 'dryRun', request: expect.stringContaining(`"toPhone":"${one.e164}"`) },
			{
				...{ placement: 'skippedDuplicate', loadNumber: one.load },
				result: 'Dry run: would be skipped (same call as an earlier row)',
			},
		]);
		expect(items[1]).not.toHaveProperty('request');
	});

	it('says that another call may have been placed a moment ago', async () => {
		const items = [driver()];
		const guarded = { rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } };
		dispatch.fail({ kind: 'reset', when: 'after' });
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'body', body: { calls: [], pagination: { total: 0 } } },
		});
		await run({}, guarded, { items });
		const { items: rows } = await run({}, { ...dry, ...guarded }, { items });
		const why = 'requested less than a minute ago and may have been placed';
		expect(rows).toMatchObject([
			{ placement: 'wouldFail', placementReason: expect.stringContaining(why) },
		]);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('shows which items the caps would refuse, counting calls already placed', async () => {
		const rules = { maxCallsPerHour: 3 };
		const node = { id: 'rehearsed', onError: 'continueRegularOutput' } as const;
		await run(rules, {}, { items: drivers(1), node });
		const dryRun = await run(rules, dry, { items: drivers(4), node });
		expect(dryRun.items).toMatchObject([
			...[{ placement: 'dryRun' }, { placement: 'dryRun' }],
			...[1, 2].map(() => ({
				placement: 'wouldFail',
				placementReason: expect.stringMatching(/reached its limit of 3 calls per hour/),
				nextAllowedAt: expect.stringMatching(/Z$/),
			})),
		]);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('is not refused for calls that other items of its run have yet to place', async () => {
		const items = drivers(4).map((one, index) => ({ ...one, dry: index === 0 }));
		const rules = { maxCallsPerHour: 3 };
		const mixed = await run(rules, someDry, { items, node: { id: 'mixed' } });
		expect(mixed.items.map(({ placement }) => placement)).toEqual([
			...['dryRun', 'placed', 'placed', 'placed'],
		]);
		expect(dispatch.dialed()).toHaveLength(3);
	});

	it('is neither reserved nor counted, so the next calls are placed', async () => {
		const rules = { maxCallsPerHour: 2, maxCallsPerDay: 2 };
		const items = drivers(2);
		const guarded = { rules: { skipIfCalledWithin: 10 } };
		const options = { items, node: { id: 'uncounted' } };
		for (let time = 0; time < 3; time++) {
			const dryRun = await run(rules, { ...dry, ...guarded }, options);
			expect(dryRun.items).toMatchObject([{ placement: 'dryRun' }, { placement: 'dryRun' }]);
		}
		expect(dispatch.noted()).toBe('[]');
		expect((await run(rules, guarded, options)).items).toMatchObject([
			...[{ placement: 'placed' }, { placement: 'placed' }],
		]);
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('places the calls of the other items, in order', async () => {
		const items = drivers(3).map((one, index) => ({ ...one, dry: index !== 1 }));
		const run3 = await run({}, someDry, { items });
		expect(run3.items.map(({ placement }) => placement)).toEqual(['dryRun', 'placed', 'dryRun']);
		expect(dispatch.dialed()).toEqual([items[1]?.e164]);
	});
});

describe('Test Number', () => {
	it('is called instead of everyone, and the items say so', async () => {
		const two = drivers(2);
		const { items } = await run({}, test, { items: two });
		expect(dispatch.dialed()).toEqual(['+13125550199', '+13125550199']);
		expect(items).toMatchObject(
			two.map(({ e164, load }) => ({
				placement: 'placed',
				placementReason: `The test number was called instead of ${e164} (Mode)`,
				toPhone: '+13125550199',
				testCallFor: e164,
				loadNumber: load,
			})),
		);
	});

	it('is the number that hours, countries and the do-not-call list apply to', async () => {
		const [one] = drivers(1);
		const items = one ? [one] : [];
		const outside = await run({}, { ...test, testNumber: '+18765550199' }, { items });
		expect(outside.error?.message).toMatch('a number of Jamaica');
		const listed = { doNotCall: '312.555.0199' };
		expect((await run(listed, test, { items })).items).toMatchObject([
			{ placement: 'doNotCall', toPhone: '+13125550199', testCallFor: one?.e164 },
		]);
		const own = { doNotCall: one?.e164 };
		expect((await run(own, test, { items })).items).toMatchObject([{ placement: 'placed' }]);
		expect(dispatch.dialed()).toEqual(['+13125550199']);
	});

	it('is called for each person about one load, and once for each', async () => {
		const items = drivers(2).map((one) => ({ ...one, load: 'two drivers' }));
		const guarded = {
			...test,
			rules: { skipIfCalledWithin: 10 },
			options: { lookForLostAnswers: 0 },
		};
		const people = items.map(({ e164 }) => ({ testCallFor: e164 }));
		const first = await run({}, guarded, { items });
		expect(first.items).toMatchObject(people.map((one) => ({ ...one, placement: 'placed' })));
		const again = await run({}, guarded, { items });
		expect(again.items).toMatchObject(
			first.items.map(({ callId, testCallFor }) => ({
				...{ callId, testCallFor, placement: 'skippedDuplicate' },
			})),
		);
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('is not called if only the list shows an earlier call, which may be for another person', async () => {
		const [first, second] = drivers(2).map((one) => ({ ...one, load: 'after a restart' }));
		if (!first || !second) throw new Error('There are no drivers');
		const guarded = {
			...test,
			rules: { skipIfCalledWithin: 10 },
			options: { lookForLostAnswers: 0 },
		};
		const [placed] = (await run({}, guarded, { items: [first] })).items;
		dispatch.restartProcess();
		const { error } = await run({}, guarded, { items: [second] });
		expect(error?.message).toMatch(/^No phone rang\./);
		expect(error?.description).toMatch(
			`(ID ${String(placed?.callId)}) and the list does not say for whom the test number was called`,
		);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('is not ignored when an expression returns nothing', async () => {
		const { error } = await run({}, { ...test, testNumber: '={{ $json.nobody }}' });
		expect(error?.message).toMatch('Test Number is empty; fill it in');
		expect(dispatch.dialed()).toEqual([]);
	});
});
