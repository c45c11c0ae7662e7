import type { Fault } from '../../../sandbox/index.mts';
import { skipPauses } from '../../support/pauses.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { driver, drivers, savedWorkflow, type Driver } from '../support/calls/dispatch.mts';
import { openListService } from '../support/calls/list-service.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';
import { iso, MINUTE, setClock, start, stopClock } from '../support/triggers/simulated-clock.mts';

const dispatch = useDispatch();
afterEach(() => jest.restoreAllMocks());

it('finds a call whose response took too long', async () => {
	dispatch.fail({ kind: 'hang', when: 'after' });
	const { items } = await dispatch.run({ options: { timeout: 1, lookForLostAnswers: 1 } });
	expect(items[0]).toMatchObject({ placement: 'reconciled' });
	expect(dispatch.dialed()).toHaveLength(1);
});

it('finds a call that is listed late, and reads the list again when that fails', async () => {
	dispatch.fail({ kind: 'reset', when: 'after' });
	dispatch.sandbox.faults.add(
		{
			endpoint: 'listCalls',
			fault: { kind: 'body', body: { calls: [], pagination: { total: 0 } } },
		},
		{ endpoint: 'listCalls', fault: { kind: 'status', status: 501 } },
	);
	skipPauses(500, 1000);
	const { items } = await dispatch.run({ options: { lookForLostAnswers: 5 } });
	expect(items[0]).toMatchObject({ placement: 'reconciled' });
	expect(dispatch.dialed()).toHaveLength(1);
});

it('looks again while the list does not say whom a call about the load went to', async () => {
	const service = await openListService(({ loadNumber }) => ({
		...{ id: 7001, createdAt: new Date().toISOString(), toPhone: null, loadIds: [loadNumber] },
	}));
	service.loses = 'response';
	const called = driver();
	const { credentials } = service;
	const running = dispatch.run(
		{ options: { lookForLostAnswers: 20 } },
		{ items: [called], credentials },
	);
	await waitUntil('a look at the list', () => service.pages.length > 0);
	for (const call of service.calls) call['toPhone'] = called.e164;
	const { items } = await running;
	await service.close();
	expect(items[0]).toMatchObject({ placement: 'reconciled', callId: 7001 });
	expect(service.requested).toBe(1);
});

it('says that it could not look when the list cannot be read', async () => {
	dispatch.fail({ kind: 'reset', when: 'after' });
	dispatch.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: { kind: 'status', status: 501 },
		times: 'always',
	});
	const { error } = await dispatch.run();
	expect(error?.message).toMatch('may or may not have been placed');
	expect(error?.description).toMatch(/^Look in Call > Get Many, or ask the person called/);
	expect(error?.description).toMatch('The call list could not be read');
});

it('does not mistake an earlier call to the same number and load for the lost one', async () => {
	const called = driver();
	dispatch.sandbox.insert({
		toPhone: called.e164,
		loadId: called.load,
		createdAt: new Date(Date.now() - 30_000).toISOString(),
	});
	dispatch.fail({ kind: 'reset', when: 'before' });
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.message).toMatch('may or may not have been placed');
});

describe('a call that the list shows when the execution is retried', () => {
	beforeEach(() => {
		stopClock();
	});
	afterEach(() => void jest.useRealTimers());

	/** Loses the response, and retries 20 minutes later, with such a call in the list. */
	async function retried(minutesLater: number) {
		const called = driver();
		dispatch.fail({ kind: 'reset', when: 'before' });
		const parameters = { options: { lookForLostAnswers: 0 } };
		const run = await dispatch.run(parameters, { items: [called] });
		expect(run.error?.message).toMatch('may or may not have been placed');
		const createdAt = iso(start + minutesLater * MINUTE);
		dispatch.sandbox.insert({ toPhone: called.e164, loadId: called.load, createdAt });
		setClock(start + 20 * MINUTE);
		return await dispatch.engine.retry(run);
	}

	it('is the lost one if the service may have placed it late', async () => {
		expect((await retried(1)).items).toMatchObject([{ placement: 'reconciled' }]);
		expect(dispatch.dialed()).toEqual([]);
	});

	it("is another request's if it was placed ten minutes after the request", async () => {
		expect((await retried(10)).error?.message).toMatch('may or may not have been placed');
		expect(dispatch.dialed()).toEqual([]);
	});
});

it('does not mistake a call about another load for the lost one', async () => {
	const called = driver();
	dispatch.fail({ kind: 'reset', when: 'before' });
	dispatch.sandbox.insert({ toPhone: called.e164, loadId: 'other' });
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.message).toMatch('may or may not have been placed');
});

it('picks none of several calls that could be the lost one', async () => {
	const called = driver();
	dispatch.fail({ kind: 'reset', when: 'after' });
	dispatch.sandbox.insert({ toPhone: called.e164, loadId: called.load });
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.description).toMatch(/several calls that could be it \(IDs \d+, \d+\)/);
	expect(dispatch.dialed()).toHaveLength(1);
});

it("does not mistake another item's call for the lost one", async () => {
	const twice = Array(2).fill(driver());
	dispatch.sandbox.faults.add({
		endpoint: 'triggerCheckCall',
		fault: { kind: 'reset', when: 'before' },
		skip: 1,
	});
	const { error } = await dispatch.run({}, { items: twice });
	expect(error?.message).toMatch('may or may not have been placed');
	expect(dispatch.dialed()).toHaveLength(1);
});

it("does not mistake another item's call for the lost one when the list has IDs as text", async () => {
	const called = driver();
	dispatch.sandbox.faults.add({
		...{ endpoint: 'triggerCheckCall', skip: 1 },
		fault: { kind: 'reset', when: 'before' },
	});
	const id = (await dispatch.run({}, { items: [called] })).items[0]?.callId;
	const listed = { id: String(id), toPhone: called.e164, loadIds: [called.load] };
	const calls = [{ ...listed, createdAt: new Date().toISOString() }];
	dispatch.sandbox.faults.add({
		...{ endpoint: 'listCalls', times: 'always' },
		fault: { kind: 'body', body: { calls, pagination: { total: 1 } } },
	});
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.message).toMatch(/^The phone may have rung\. .* may or may not have been placed/);
	expect(error?.description).toMatch(`only calls placed by other requests (ID ${String(id)})`);
	expect(dispatch.dialed()).toHaveLength(1);
});

it("does not mistake another node's call for the lost one when the nodes have different credentials", async () => {
	const called = driver();
	const json = savedWorkflow({});
	const [, call] = json.nodes;
	if (!call) throw new Error('no node');
	const parameters = { ...call.parameters, toPhone: called.e164, loadNumber: called.load };
	json.nodes.push({ ...call, name: 'Second', id: 'second', parameters });
	json.connections.Call = { main: [[{ node: 'Second', type: 'main', index: 0 }]] };
	const execution = await dispatch.execution({}, { items: [called] }, json);
	const second = execution.workflow.getNode('Second');
	if (!second) throw new Error('no second node');
	const { carrierLoadCommunicationsApi: own } = dispatch.credentials;
	second.credentials = await dispatch.engine.credentials.save({
		carrierLoadCommunicationsApi: { ...own, baseUrl: `${String(own.baseUrl)}/` },
	});
	dispatch.sandbox.faults.add({
		...{ endpoint: 'triggerCheckCall', skip: 1 },
		fault: { kind: 'reset', when: 'before' },
	});
	const { executionData } = await execution.start();
	expect(executionData.resultData.error?.message).toMatch('may or may not have been placed');
	expect(dispatch.dialed()).toHaveLength(1);
});

it('matches two lost calls to one number with one found call each', async () => {
	const twice = Array(2).fill(driver());
	dispatch.fail({ kind: 'reset', when: 'after' }, { kind: 'reset', when: 'after' });
	const { items } = await dispatch.run({ options: { callsInParallel: 2 } }, { items: twice });
	expect(items.map(({ callId }) => callId)).toEqual(
		dispatch.sandbox.ledger.dialed().map(({ callId }) => callId),
	);
	expect(dispatch.dialed()).toHaveLength(2);
});

it('does not take the one call found for either of two lost ones', async () => {
	const twice = Array(2).fill(driver());
	dispatch.fail({ kind: 'reset', when: 'before' }, { kind: 'reset', when: 'after' });
	const node = { onError: 'continueRegularOutput' as const };
	const { items } = await dispatch.run({}, { items: twice, node });
	const doubts = items.map(({ error }) => String(error));
	expect(doubts).toEqual(Array(2).fill(expect.stringContaining('The phone may have rung')));
	expect(JSON.stringify(items[1])).toContain(
		'another request to this number got no response either',
	);
	expect(dispatch.dialed()).toHaveLength(1);
});

it.each([
	['the items of a run', 1],
	['executions', 50],
])(
	'shares the look-ups of %s whose responses were lost at the same time',
	async (_, runs) => {
		const service = await openListService(({ toPhone }) => ({ id: 1, toPhone, createdAt: '' }));
		service.loses = 'call';
		const { engine } = dispatch;
		const saved = await engine.credentials.save(service.credentials);
		const run = async (items: Driver[]) => {
			const parameters = { options: { lookForLostAnswers: 4, callsInParallel: 50 } };
			const node = { onError: 'continueRegularOutput' as const };
			const execution = await dispatch.execution(parameters, { items, node });
			const call = execution.workflow.getNode('Call');
			if (call) call.credentials = saved;
			return (await execution.start()).items;
		};
		const fifty = drivers(50);
		const parts = runs === 1 ? [fifty] : fifty.map((one) => [one]);
		const items = (await Promise.all(parts.map(run))).flat();
		await service.close();
		expect(items).toHaveLength(50);
		expect(items.every(({ error }) => String(error).includes('may or may not have been'))).toBe(
			true,
		);
		// Each alone would read it at 0, 0.5, 1.5, 3.5 and 4 seconds.
		expect(service.pages.length).toBeLessThanOrEqual(50);
	},
	30_000,
);

it('does not conclude from an incomplete list that no call was placed', async () => {
	dispatch.fail({ kind: 'reset', when: 'before' });
	dispatch.sandbox.faults.add({
		...{ endpoint: 'listCalls', times: 'always' },
		fault: { kind: 'total', value: 5000 },
	});
	const { error } = await dispatch.run();
	expect(error?.message).toMatch('may or may not have been placed');
	expect(error?.description).toMatch('The call list could not be read to its end');
});

describe('an agent call whose status is not "success"', () => {
	const agentCall = { operation: 'createAgentCall', agentId: 'desk' };
	const fault = (more: object): Fault => ({ kind: 'agentStatus', status: 'busy_later', ...more });

	it('is a clear error when there is no call', async () => {
		dispatch.fail(fault({}));
		const { error } = await dispatch.run(agentCall);
		expect(error?.message).toMatch(
			/did not place the agent call to \(\d{3}\) \d{3}-\d{4}: the status "busy_later"/,
		);
	});

	it('is found when it was placed anyway', async () => {
		dispatch.fail(fault({ afterPlacing: true }));
		const { items } = await dispatch.run(agentCall);
		expect(items[0]).toMatchObject({ placement: 'reconciled' });
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it("is an error with the service's words when it is not found, also after Retry On Fail and Retry Execution", async () => {
		const body = { status: 'error', message: 'The agent is paused' };
		dispatch.fail({ kind: 'body', body });
		const words =
			'The service responded with the status "error": The agent is paused. The call list';
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const failed = await dispatch.run(agentCall, { node });
		expect(failed.error?.message).toMatch('may or may not have been placed');
		expect(failed.error?.description).toMatch(words);
		dispatch.restartProcess();
		const { error } = await dispatch.engine.retry(failed);
		expect(error?.message).toMatch('may or may not have been placed');
		expect(error?.description).toMatch(words);
	});
});
