import type { INodeParameters } from 'n8n-workflow';
import { checkCall, driver, savedWorkflow } from '../support/calls/dispatch.mts';
import type { Driver } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const without = (parameters: INodeParameters, ...names: string[]): INodeParameters =>
	Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

/** The form as it is when nobody touched Skip If Called Within. */
const asOpened = (parameters: INodeParameters = {}): INodeParameters => ({
	...checkCall,
	rules: {},
	...parameters,
});

/** One click on Execute step. */
async function click(item: Driver, parameters = asOpened(), workflowId = 'savedWorkflow') {
	const json = savedWorkflow({});
	const [, call] = json.nodes;
	if (call) call.parameters = parameters;
	const { credentials } = dispatch;
	return await dispatch.engine.runWorkflow(
		{ ...json, id: workflowId },
		{ credentials, items: [item], subject: 'Call', mode: 'manual' },
	);
}

describe('three clicks on Execute step', () => {
	it('ring once', async () => {
		const one = driver();
		const runs = [await click(one), await click(one), await click(one)];
		expect(runs.map(({ items }) => items[0]?.placement)).toEqual([
			...['placed', 'skippedDuplicate', 'skippedDuplicate'],
		]);
		expect(runs[2]?.items[0]?.callId).toBe(runs[0]?.items[0]?.callId);
		expect(runs[2]?.items[0]?.placementReason).toMatch(
			/^Call \d+ to this number was placed less than a minute ago \(Skip If Called Within is 10 minutes\)\.$/,
		);
		expect(dispatch.dialed()).toEqual([one.e164]);
	});

	it('ring once even at the same moment', async () => {
		const one = driver();
		await Promise.all([click(one), click(one), click(one)]);
		expect(dispatch.dialed()).toEqual([one.e164]);
	});

	it('ring once even if n8n restarts in between', async () => {
		const one = driver();
		await click(one);
		dispatch.restartProcess();
		expect((await click(one)).items[0]).toMatchObject({ placement: 'skippedDuplicate' });
		expect(dispatch.dialed()).toEqual([one.e164]);
	});

	it('ring once even if the first one got no response', async () => {
		const one = driver();
		dispatch.fail({ kind: 'reset', when: 'after' });
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'body', body: { calls: [], pagination: { total: 0 } } },
		});
		const first = await click(one);
		expect(first.error?.message).toMatch(/^The phone may have rung\./);
		expect((await click(one)).error?.message).toMatch(/^No phone rang\./);
		expect((await click(one)).error?.description).toMatch(
			'The same call was requested less than a minute ago and may have been placed',
		);
		expect(dispatch.dialed()).toEqual([one.e164]);
	});

	it('ring three times when the duplicate guard is off', async () => {
		const one = driver();
		const off = asOpened({ rules: { skipIfCalledWithin: 0 } });
		for (let clicks = 0; clicks < 3; clicks++) await click(one, off);
		expect(dispatch.dialed()).toHaveLength(3);
	});
});

describe('agent calls to one number', () => {
	const agent = (parameters: INodeParameters): INodeParameters => ({
		...without(asOpened(), 'loadNumber', 'nextStopIndex'),
		...{ operation: 'createAgentCall', agentId: 'tracking', ...parameters },
	});

	it('are both placed when the agents differ', async () => {
		const one = driver();
		await click(one, agent({}));
		const { items } = await click(one, agent({ agentId: 'invoices' }));
		expect(items[0]).toMatchObject({ placement: 'placed', agentId: 'invoices' });
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('are both placed when they come from different workflows', async () => {
		const one = driver();
		await click(one, agent({}), 'tracking');
		const { items } = await click(one, agent({}), 'appointments');
		expect(items[0]).toMatchObject({ placement: 'placed' });
	});

	it('ring once for three clicks on the same one', async () => {
		const one = driver();
		for (let clicks = 0; clicks < 3; clicks++) await click(one, agent({}));
		expect(dispatch.dialed()).toHaveLength(1);
	});
});

describe('Next Stop', () => {
	it.each<[unknown, number]>([
		...([
			[0, 0],
			['0', 0],
			[2, 2],
			[' 3 ', 3],
			['1.0', 1],
		] as Array<[unknown, number]>),
		...([
			['Pickup', 0],
			['pick-up', 0],
			['Stop 1', 1],
			['stop 12', 12],
			['STOP #2', 2],
		] as Array<[unknown, number]>),
	])('is sent as a number counted from 0: %j', async (nextStopIndex, sent) => {
		await dispatch.run({ nextStopIndex: nextStopIndex as string });
		const [request] = dispatch.sandbox.ledger.requests('triggerCheckCall');
		expect(request?.body).toMatchObject({ nextStopIndex: sent });
	});

	it.each([-1, '-1', '1 of 3', 'stop', 'Stop', 'Stop one', '1.5', 'delivery', '1,2'])(
		'is an error in words before anything is sent: %j',
		async (nextStopIndex) => {
			const { error } = await dispatch.run({ nextStopIndex });
			expect(error?.message).toMatch(
				/^No phone rang\. Next Stop must be 0 or more, "Pickup", or a stop such as "Stop 1" \(it is "/,
			);
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);

	it.each([
		['an expression without a value', '={{ $json.nextStop }}'],
		['an expression that gives null', '={{ null }}'],
		['blank', ' '],
	])('is an error before anything is sent when it is %s', async (_case, nextStopIndex) => {
		const { error } = await click(driver(), asOpened({ nextStopIndex }));
		expect(error?.message).toMatch(/^No phone rang\. Next Stop /);
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it.each([
		['left empty', asOpened({ nextStopIndex: '' })],
		['never touched', without(asOpened(), 'nextStopIndex')],
	])('is marked in the form, and stops the workflow, when it is %s', async (_case, form) => {
		await expect(click(driver(), form)).rejects.toThrow('"Next Stop" is required');
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('can be 0, the pickup', async () => {
		await click(driver(), asOpened({ nextStopIndex: 0 }));
		expect(dispatch.sandbox.ledger.dialed()[0]?.body).toMatchObject({ nextStopIndex: 0 });
	});
});
