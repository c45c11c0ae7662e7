import type { INodeParameters } from 'n8n-workflow';
import { driver, drivers, openDispatch, type Dispatch } from '../support/calls/dispatch.mts';
import { goOn, handEvent, resumeUrl } from '../support/calls/waiting.mts';

let dispatch: Dispatch;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());
beforeEach(() => dispatch.reset());

const byWebhook: INodeParameters = { waitForOutcome: 'webhook', waitLimit: 5 };
const byPolling: INodeParameters = { waitForOutcome: 'polling', waitLimit: 1, pollInterval: 0.05 };
const placed = () => dispatch.sandbox.ledger.dialed().at(-1);
const completed = (more: object = {}) => ({
	event: 'call.completed',
	data: { callId: placed()?.callId, status: 'COMPLETED', summary: 'On time.', ...more },
	metadata: placed()?.metadata,
});

describe('waiting for the webhook event', () => {
	it('puts the execution to rest until the limit, with its address in the metadata', async () => {
		const run = await dispatch.run(byWebhook);
		expect(run.status).toBe('waiting');
		const minutes = (Number(run.waitTill) - Date.now()) / 60_000;
		expect(minutes).toBeGreaterThan(4.9);
		expect(minutes).toBeLessThanOrEqual(5);
		expect(resumeUrl(dispatch).pathname).toMatch(/webhook-waiting/);
		expect(resumeUrl(dispatch).searchParams.get('signature')).toMatch(/.{20}/);
	});

	it('goes on with the event: the call and its outcome, in one item, without a second call', async () => {
		const called = driver();
		const run = await dispatch.run({ ...byWebhook, output: 'all' }, { items: [called] });
		const answer = await handEvent(dispatch, run, resumeUrl(dispatch), completed());
		expect(answer).toMatchObject({ status: 200, started: true });
		const { items, status, output } = await goOn(dispatch, run, answer);
		expect(status).toBe('success');
		expect(items).toEqual([
			expect.objectContaining({
				...{ outcome: 'placed', timedOut: false, status: 'COMPLETED', summary: 'On time.' },
				...{ callId: placed()?.callId, loadNumber: called.load },
				event: expect.objectContaining({ event: 'call.completed' }),
			}),
		]);
		expect(output()[0]?.pairedItem).toEqual({ item: 0 });
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('adds from the list what the event does not say', async () => {
		const run = await dispatch.run(byWebhook);
		await dispatch.sandbox.finishCalls();
		const answer = await handEvent(dispatch, run, resumeUrl(dispatch), { event: 'call.ended' });
		expect(answer.workflowData?.[0]?.[0]?.json).toMatchObject({
			...{ timedOut: false, summary: expect.any(String), transcript: expect.any(String) },
			status: null,
			recordingUrl: expect.stringMatching('http'),
		});
	});

	it('goes on sleeping while the call goes on', async () => {
		const run = await dispatch.run(byWebhook);
		const event = { event: 'call.started', data: { status: 'IN_PROGRESS' } };
		const answer = await handEvent(dispatch, run, resumeUrl(dispatch), event);
		expect(answer).toMatchObject({ status: 200, started: false });
	});

	it('refuses an event about another call', async () => {
		const run = await dispatch.run(byWebhook);
		const url = resumeUrl(dispatch);
		url.searchParams.set('wait', 'another');
		const answer = await handEvent(dispatch, run, url, completed());
		expect(answer).toMatchObject({ status: 409, started: false, noWebhookResponse: true });
	});

	it('does not put the address into the output', async () => {
		const run = await dispatch.run({ ...byWebhook, output: 'all' });
		expect(JSON.stringify(run.items)).not.toContain('webhook-waiting');
		const answer = await handEvent(dispatch, run, resumeUrl(dispatch), completed());
		expect(answer.started).toBe(true);
		expect(JSON.stringify(answer.workflowData)).not.toContain('webhook-waiting');
	});

	it('ends when the time is up, with timedOut and a last look in the list', async () => {
		const called = driver();
		const run = await dispatch.run(byWebhook, { items: [called] });
		const { items, status } = await dispatch.engine.resumeAfterWait(run);
		expect(status).toBe('success');
		expect(items).toEqual([
			expect.objectContaining({ outcome: 'placed', timedOut: true, loadNumber: called.load }),
		]);
		await dispatch.sandbox.finishCalls();
		const looked = await dispatch.engine.resumeAfterWait(run);
		expect(looked.items).toEqual([
			expect.objectContaining({ timedOut: false, summary: expect.any(String) }),
		]);
		expect(looked.runs()).toHaveLength(1);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('ends with timedOut also when the list cannot be read', async () => {
		const run = await dispatch.run(byWebhook);
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 500 },
		});
		const { items, status } = await dispatch.engine.resumeAfterWait(run);
		expect(status).toBe('success');
		expect(items[0]).toMatchObject({ timedOut: true, callId: placed()?.callId });
	});

	it('does not rest at all when the call has ended before', async () => {
		dispatch.fail({ kind: 'truncated' });
		const running = dispatch.run({ ...byWebhook, options: { lookForLostAnswers: 5 } });
		while (dispatch.dialed().length === 0) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		const { status, items } = await running;
		expect(status).toBe('success');
		expect(items[0]).toMatchObject({ timedOut: false, summary: expect.any(String) });
	});

	it('is for one item: more are an error before any call, which names the loop', async () => {
		const { error } = await dispatch.run(byWebhook, { items: drivers(2) });
		expect(error?.message).toMatch('Put a Loop Over Items node with a batch size of 1');
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it.each([0, -1, 'soon'])(
		'resolves its limit before dialling: %s is an error',
		async (waitLimit) => {
			const { error } = await dispatch.run({ ...byWebhook, waitLimit });
			expect(error?.message).toMatch('Wait at Most (Minutes)');
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);

	it('refuses a metadata key of the user that it needs itself', async () => {
		const { error } = await dispatch.run({
			...byWebhook,
			metadata: { entry: [{ key: 'n8nResumeUrl', value: 'x' }] },
		});
		expect(error?.message).toMatch('n8nResumeUrl');
		expect(dispatch.dialed()).toHaveLength(0);
	});

	it('is an error when nothing was placed', async () => {
		dispatch.fail({ kind: 'callNull' });
		expect((await dispatch.run(byWebhook)).status).toBe('error');
	});
});

describe('waiting until the list shows the outcome', () => {
	it('waits for all items together, one look at a time', async () => {
		const running = dispatch.run(byPolling, { items: drivers(3) });
		while (dispatch.dialed().length < 3) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		const { items } = await running;
		expect(items.map(({ timedOut }) => timedOut)).toEqual([false, false, false]);
		expect(items.map(({ status }) => status)).toEqual([null, null, null]);
		expect(
			items.every(({ summary, transcript, recordingUrl }) => summary && transcript && recordingUrl),
		).toBe(true);
		expect(dispatch.sandbox.ledger.requests('listCalls').length).toBeLessThan(6);
	});

	it('ends at its limit with timedOut', async () => {
		const { items } = await dispatch.run({ ...byPolling, waitLimit: 0.003 });
		expect(items[0]).toMatchObject({ outcome: 'placed', timedOut: true, status: 'IN_PROGRESS' });
	});

	it('reports no placed call as failed when the list cannot be read, but says so', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 500 },
		});
		const { items, hints } = await dispatch.run({ ...byPolling, waitLimit: 0.003 });
		expect(items[0]).toMatchObject({ outcome: 'placed', timedOut: true });
		expect(hints[0]?.message).toMatch('could not be looked up');
	});

	it('keeps failed items as they are', async () => {
		dispatch.fail({ kind: 'callNull' });
		const { items } = await dispatch.run(
			{ ...byPolling, waitLimit: 0.003 },
			{ items: drivers(2), node: { onError: 'continueRegularOutput' } },
		);
		expect(items[0]?.error).toMatch('did not place');
		expect(items[1]).toMatchObject({ timedOut: true });
	});

	it('stops when the user presses Stop', async () => {
		const stop = new AbortController();
		const running = dispatch.run(byPolling, { signal: stop.signal });
		while (dispatch.sandbox.ledger.requests('listCalls').length < 2) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		stop.abort();
		expect((await running).status).toBe('canceled');
		const looks = dispatch.sandbox.ledger.requests('listCalls').length;
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(dispatch.sandbox.ledger.requests('listCalls').length).toBeLessThanOrEqual(looks + 1);
	});

	it('is for agent calls too', async () => {
		const running = dispatch.run({
			...byPolling,
			...{ operation: 'createAgentCall', agentId: 'desk' },
		});
		while (dispatch.dialed().length === 0) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		expect((await running).items[0]).toMatchObject({ timedOut: false, agentId: 'desk' });
	});
});
