import { chain } from '../../support/harness/index.mts';
import { checkCall, driver, drivers, savedWorkflow } from '../../support/calls/dispatch.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const refuse = (skip: number, times: number | 'always' = 'always') =>
	dispatch.sandbox.faults.add({
		endpoint: 'triggerCheckCall',
		fault: { kind: 'status', status: 422 },
		skip,
		times,
	});

describe('Retry On Fail', () => {
	it('dials no item again when a later one fails, and returns all items in the end', async () => {
		refuse(2, 1);
		const four = drivers(4);
		const { items } = await dispatch.run({}, { items: four, node: retryOnFail });
		expect(items.map(({ loadNumber }) => loadNumber)).toEqual(four.map(({ load }) => load));
		expect(dispatch.dialed()).toEqual(four.map(({ e164 }) => e164));
		expect(items.map(({ callId }) => callId)).toEqual(
			dispatch.sandbox.ledger.dialed().map(({ callId }) => callId),
		);
	});

	it('does not dial again when it is not known whether a call was placed', async () => {
		dispatch.fail({ kind: 'reset', when: 'before' });
		const { error } = await dispatch.run({}, { node: retryOnFail });
		expect(error?.message).toMatch('may or may not have been placed');
		expect(dispatch.sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
	});

	it('finds the lost call on a later try', async () => {
		dispatch.fail({ kind: 'reset', when: 'after' });
		dispatch.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 501 },
			times: 2,
		});
		const { items } = await dispatch.run(
			{ options: { lookForLostAnswers: 0 } },
			{ node: retryOnFail },
		);
		expect(items[0]).toMatchObject({ placement: 'reconciled' });
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('dials again when it is certain that no phone rang', async () => {
		refuse(0, 1);
		const { items } = await dispatch.run({}, { node: retryOnFail });
		expect(items[0]).toMatchObject({ placement: 'placed' });
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('recognizes a call as the same although its metadata contains the time of the try', async () => {
		refuse(1, 1);
		const metadata = { entry: [{ key: 'at', value: '={{ $now.toMillis() }}' }] };
		await dispatch.run({ metadata }, { items: drivers(2), node: retryOnFail });
		expect(dispatch.dialed()).toHaveLength(2);
	});
});

describe.each([
	['that has a token', {}],
	['of n8n 2.0, which has no tokens', { resumeToken: '' }],
])("the editor's retry of an execution %s", (_, older) => {
	it('dials only what was not dialed', async () => {
		refuse(1, 1);
		const failed = await dispatch.run({}, { items: drivers(3), ...older });
		expect(failed.status).toBe('error');
		const { items } = await dispatch.engine.retry(failed);
		expect(items.map(({ placement }) => placement)).toEqual(['placed', 'placed', 'placed']);
		expect(dispatch.dialed()).toHaveLength(3);
	});

	it('looks for the call whose response was lost and does not dial it', async () => {
		dispatch.fail({ kind: 'reset', when: 'after' });
		dispatch.sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 501 } });
		const failed = await dispatch.run({ options: { lookForLostAnswers: 0 } }, older);
		expect(failed.error?.message).toMatch('may or may not have been placed');
		const { items } = await dispatch.engine.retry(failed);
		expect(items[0]).toMatchObject({ placement: 'reconciled' });
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('dials nothing when the first execution is retried a second time', async () => {
		refuse(1, 1);
		const failed = await dispatch.run({}, { items: drivers(2), ...older });
		await dispatch.engine.retry(failed);
		const { items } = await dispatch.engine.retry(failed);
		expect(items.map(({ placement }) => placement)).toEqual(['placed', 'placed']);
		expect(dispatch.dialed()).toHaveLength(2);
	});
});

describe('a loop', () => {
	it('dials once in each iteration', async () => {
		const json = chain(
			{ name: 'Start', type: 'testNodes.start' },
			{ name: 'Loop', type: 'testNodes.loop' },
		);
		const [, call] = savedWorkflow(checkCall, retryOnFail).nodes;
		if (!call) throw new Error('no node');
		json.nodes.push(call);
		json.connections.Loop = { main: [[], [{ node: 'Call', type: 'main', index: 0 }]] };
		json.connections.Call = { main: [[{ node: 'Loop', type: 'main', index: 0 }]] };
		refuse(1, 1);
		const same = Array(3).fill(driver());
		const { credentials } = dispatch;
		const { items } = await dispatch.engine.runWorkflow(json, {
			...{ credentials, items: same, subject: 'Loop' },
		});
		expect(items.map(({ placement }) => placement)).toEqual(['placed', 'placed', 'placed']);
		expect(dispatch.dialed()).toHaveLength(3);
	});
});

describe('a failed item', () => {
	it('is returned as an error with two keys, and the others as calls', async () => {
		refuse(1, 1);
		const [one, two, three] = drivers(3);
		const { output } = await dispatch.run(
			{},
			{
				items: [one, two, three].map((each) => ({ ...each })),
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(output(0).map(({ json }) => json.loadNumber)).toEqual([one?.load, three?.load]);
		expect(output(1)).toHaveLength(1);
		expect(output(1)[0]?.json).toMatchObject({ error: expect.any(String), load: two?.load });
	});

	it('is the only one whose outcome is reported as unknown', async () => {
		dispatch.fail({ kind: 'reset', when: 'before' });
		const { items, output } = await dispatch.run(
			{},
			{ items: drivers(2), node: { onError: 'continueRegularOutput' } },
		);
		expect(Object.keys(items[0] ?? {}).sort()).toEqual(['error', 'message']);
		expect(items[0]?.error).toMatch('may or may not have been placed');
		expect(items[1]).toMatchObject({ placement: 'placed' });
		expect(output().map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('is found before the first phone rings, together with all others', async () => {
		const items = drivers(5).map((driver, index) =>
			index > 2 ? { ...driver, phone: '911' } : driver,
		);
		const { error } = await dispatch.run({}, { items });
		expect(error?.message).toBe('No phone rang. 2 of 5 items cannot be called');
		expect(error?.description).toMatch('Row 4: To Phone has too few digits (it is "911")');
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('includes every item when the node cannot start, even with Continue on Fail', async () => {
		const { items } = await dispatch.run(
			{ options: { callsInParallel: 0.5 } },
			{ items: drivers(2), node: { onError: 'continueRegularOutput' } },
		);
		expect(items).toEqual(
			Array(2).fill({
				error: expect.stringMatching('Calls in Parallel'),
				message: expect.any(String),
			}),
		);
	});
});
