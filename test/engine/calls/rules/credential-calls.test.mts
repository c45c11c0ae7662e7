import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { driver, drivers } from '../../support/calls/dispatch.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const TEST = '(312) 555-0199';

const operations: Array<[string, INodeParameters]> = [
	['a check call', {}],
	[
		'a carrier sales call',
		{ operation: 'triggerCarrierSalesCall', loadId: '={{ $json.load }}', dotNumber: 77 },
	],
	['an agent call', { operation: 'createAgentCall', agentId: 'desk' }],
];

/** Runs the node with a credential whose Calls setting is this one. */
async function runWith(setting: IDataObject, parameters: INodeParameters = {}, items = drivers(1)) {
	const { carrierLoadCommunicationsApi: live } = dispatch.credentials;
	const credentials = { carrierLoadCommunicationsApi: { ...live, ...setting } };
	return await dispatch.run(parameters, { items, credentials });
}

describe.each(operations)('with Calls in the credential, %s', (_name, parameters) => {
	it('is placed with Live, and with a credential from before the setting', async () => {
		const items = drivers(1);
		for (const setting of [{ callMode: 'live' }, {}]) {
			const run = await runWith(setting, parameters, items);
			expect(run.items).toMatchObject([{ placement: 'placed', toPhone: items[0]?.e164 }]);
		}
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('goes to the test number with Test Number, and its row says who decided that', async () => {
		const items = drivers(2);
		const run = await runWith({ callMode: 'testNumber', testNumber: TEST }, parameters, items);
		expect(dispatch.dialed()).toEqual(['+13125550199', '+13125550199']);
		expect(run.items).toMatchObject(
			items.map(({ e164 }) => ({
				placement: 'placed',
				placementReason: `The test number was called instead of ${e164} (the credential's Calls setting)`,
				toPhone: '+13125550199',
				testCallFor: e164,
			})),
		);
	});

	it('is not placed with Dry Run: the row is that of a dry run, and says who decided it', async () => {
		const items = drivers(2);
		const dry = { ...parameters, callMode: 'dryRun' };
		const [own] = (await runWith({ callMode: 'live' }, dry, items)).items;
		const rows = (await runWith({ callMode: 'dryRun' }, parameters, items)).items;
		expect(rows).toMatchObject(
			items.map(({ e164 }) => ({
				...{ placement: 'dryRun', status: 'DRY_RUN', toPhone: e164 },
				placementReason:
					"No phone rang. The credential's Calls setting decided that. To place the call, set it to Live in the credential",
			})),
		);
		expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(own ?? {}));
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('a dry run of the node says that the setting is Paused', async () => {
		const dry = { ...parameters, callMode: 'dryRun' };
		const { items, hints } = await runWith({ callMode: 'paused' }, dry);
		expect(hints.map(({ message }) => message)).toContain(
			"A live run would call no one: the credential's Calls setting is Paused. When calls may be placed again, set it to Live.",
		);
		expect(items).toMatchObject([
			{
				placement: 'dryRun',
				placementReason: expect.stringContaining("The credential's Calls setting is Paused"),
			},
		]);
	});

	it.each(['paused', 'PAUSED', 'anything else', ''])(
		'is not placed when the setting is "%s"',
		async (callMode) => {
			const { error } = await runWith({ callMode }, parameters);
			expect(error?.message).toMatch(
				/^No phone rang\. The .* call to .* was not placed: the credential's Calls setting is Paused$/,
			);
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);
});

describe('the credential and the node', () => {
	const testMode = { callMode: 'testNumber', testNumber: TEST };

	it("the credential's test number is called, not the node's own", async () => {
		const own = { callMode: 'testNumber', testNumber: '(312) 555-0142' };
		expect((await runWith(testMode, own)).items).toMatchObject([{ placement: 'placed' }]);
		expect(dispatch.dialed()).toEqual(['+13125550199']);
	});

	it('a node may be stricter: its dry run places no test call either', async () => {
		const { items } = await runWith(testMode, { callMode: 'dryRun' });
		expect(items).toMatchObject([
			{
				placement: 'dryRun',
				placementReason: expect.stringMatching(/set Mode to Live$/),
				toPhone: '+13125550199',
			},
		]);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('hours, countries and the do-not-call list apply to the phone that rings', async () => {
		const one = driver();
		const own = { doNotCall: one.e164 };
		expect((await runWith(testMode, { rules: own }, [one])).items).toMatchObject([
			{ placement: 'placed' },
		]);
		const its = { doNotCall: TEST };
		expect((await runWith(testMode, { rules: its })).items).toMatchObject([
			{ placement: 'doNotCall' },
		]);
		expect(dispatch.dialed()).toEqual(['+13125550199']);
	});

	it('each person gets one test call about a load, and the guard tells them apart', async () => {
		const items = drivers(2).map((one) => ({ ...one, load: 'tested' }));
		const guarded = { rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } };
		for (const placement of ['placed', 'skippedDuplicate']) {
			const { items: rows } = await runWith(testMode, guarded, items);
			expect(rows).toMatchObject(items.map(({ e164 }) => ({ placement, testCallFor: e164 })));
		}
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('a test number without a country code is read as a US number, also in a node for another country', async () => {
		const options = { defaultCountry: 'MX', lookForLostAnswers: 0.1 };
		const one = { ...driver(), phone: '+52 55 1234 5678' };
		expect((await runWith(testMode, { options }, [one])).items).toMatchObject([
			{ placement: 'placed' },
		]);
		expect(dispatch.dialed()).toEqual(['+13125550199']);
	});

	it.each([
		['', "The credential's Test Number is empty"],
		['555-0199', "The credential's Test Number"],
	])('nobody is called without a usable test number: "%s"', async (testNumber, words) => {
		const { error } = await runWith({ callMode: 'testNumber', testNumber });
		expect(error?.message).toMatch(/^No phone rang\./);
		expect(`${error?.message} ${error?.description}`).toMatch(words);
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('lists can be read with each setting', async () => {
		const list = { operation: 'getAll', timeRange: 'last7Days', limit: 1 };
		for (const callMode of ['live', 'testNumber', 'dryRun', 'paused']) {
			const { error, status } = await runWith({ callMode, testNumber: TEST }, list);
			expect([error, status]).toEqual([undefined, 'success']);
		}
	});
});
