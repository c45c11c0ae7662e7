import { drivers, type Driver } from '../../support/calls/dispatch.mts';
import { itemLoop, redialLoop, resumeUrl, sendEvent } from '../../support/calls/waiting.mts';
import type { EngineRun, WorkflowJson } from '../../support/harness/index.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const start = async (json: WorkflowJson, items: Driver[]) => {
	const { credentials } = dispatch;
	return await dispatch.engine.runWorkflow(json, { credentials, items, subject: 'End' });
};
const timeIsUp = async (run: EngineRun) => await dispatch.engine.resumeAfterWait(run);
const dialed = () => dispatch.sandbox.ledger.dialed();
const ended = (call: number) => ({
	...{ event: 'call_ended', callId: dialed()[call]?.callId },
	extractedData: { eta: `${call}:00` },
});

describe('a workflow that calls again when the time is up', () => {
	it('places a call in each iteration, and ends after the last', async () => {
		const [one] = drivers(1);
		let run = await start(redialLoop(3), [one as Driver]);
		for (let call = 1; call <= 3; call++) {
			expect(run.status).toBe('waiting');
			expect(dialed()).toHaveLength(call);
			run = await timeIsUp(run);
		}
		expect(run.status).toBe('success');
		expect(dialed().map(({ toPhone }) => toPhone)).toEqual(Array(3).fill(one?.e164));
		expect(run.items).toEqual([
			expect.objectContaining({ timedOut: true, callId: dialed()[2]?.callId }),
		]);
		expect(run.runs('Call')).toHaveLength(3);
	});

	it('continues with the outcome of the answered call', async () => {
		const run = await timeIsUp(await start(redialLoop(3), drivers(1)));
		const resumed = await sendEvent(dispatch, run, ended(1));
		expect(resumed.run?.items).toEqual([
			expect.objectContaining({ timedOut: false, callId: dialed()[1]?.callId }),
		]);
		expect(dialed()).toHaveLength(2);
	});

	it.each([
		['that names its call', () => ended(0)],
		['that names no call', () => ({ event: 'call_ended', summary: 'On time.' })],
	])("does not mistake the first call's late event, %s, for the second's", async (_how, event) => {
		const run = await timeIsUp(await start(redialLoop(3), drivers(1)));
		const late = await sendEvent(dispatch, run, event(), resumeUrl(dispatch, 0));
		expect(late.answer).toMatchObject({ status: 409, started: false });
		expect(late.run).toBeUndefined();
	});
});

describe('Loop Over Items with a wait in each iteration', () => {
	it("places one call for each item, and returns each one's own outcome", async () => {
		const two = drivers(2);
		let run: EngineRun | undefined = await start(itemLoop({ output: 'all' }), two);
		for (const call of [0, 1]) {
			expect(run?.status).toBe('waiting');
			expect(dialed()).toHaveLength(call + 1);
			run = (await sendEvent(dispatch, run as EngineRun, ended(call))).run;
		}
		expect(run?.status).toBe('success');
		expect(run?.items).toEqual(
			two.map(({ load }, call) =>
				expect.objectContaining({
					...{ loadNumber: load, timedOut: false, callId: dialed()[call]?.callId },
					event: expect.objectContaining({ extractedData: { eta: `${call}:00` } }),
				}),
			),
		);
	});

	it('waits for the second although the first timed out, and places two calls for equal items', async () => {
		const [one] = drivers(1);
		const same = { rules: { skipIfCalledWithin: 0 } };
		const run = await timeIsUp(await start(itemLoop(same), [one as Driver, one as Driver]));
		expect(run.status).toBe('waiting');
		expect(dialed()).toHaveLength(2);
		const last = await sendEvent(dispatch, run, ended(1));
		expect(last.run?.items.map(({ timedOut }) => timedOut)).toEqual([true, false]);
	});
});
