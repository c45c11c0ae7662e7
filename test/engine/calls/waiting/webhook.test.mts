import type { INodeParameters } from 'n8n-workflow';
import { driver, drivers, savedWorkflow } from '../../support/calls/dispatch.mts';
import { resumeUrl, sendEvent } from '../../support/calls/waiting.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const byWebhook: INodeParameters = { waitForOutcome: 'webhook', waitLimit: 5 };
const placed = () => dispatch.sandbox.ledger.dialed().at(-1);
const completed = (more: object = {}) => ({
	event: 'call.completed',
	data: { callId: placed()?.callId, status: 'COMPLETED', summary: 'On time.', ...more },
	metadata: placed()?.metadata,
});

describe('waiting for the webhook event', () => {
	it('pauses the execution until the time limit, and sends its resume URL to the service', async () => {
		const run = await dispatch.run(byWebhook);
		expect(run.status).toBe('waiting');
		const minutes = (Number(run.waitTill) - Date.now()) / 60_000;
		expect(minutes).toBeGreaterThan(4.9);
		expect(minutes).toBeLessThanOrEqual(5);
		expect(resumeUrl(dispatch).pathname).toMatch(/webhook-waiting/);
		expect(resumeUrl(dispatch).searchParams.get('signature')).toMatch(/.{20}/);
	});

	it('stores the time limit as a date that n8n can read', async () => {
		const { executionData } = await dispatch.run(byWebhook);
		const stored = JSON.parse(JSON.stringify(executionData.waitTill));
		expect(new Date(stored).getTime()).toBeGreaterThan(Date.now());
	});

	it('continues with the event: the call and its outcome in one item, without a second call', async () => {
		const called = driver();
		const run = await dispatch.run({ ...byWebhook, output: 'all' }, { items: [called] });
		const resumed = await sendEvent(dispatch, run, completed());
		expect(resumed.answer).toMatchObject({ status: 200, started: true });
		expect(resumed.run?.status).toBe('success');
		expect(resumed.run?.items).toEqual([
			expect.objectContaining({
				...{ timedOut: false, status: 'COMPLETED', summary: 'On time.' },
				...{ callId: placed()?.callId, loadNumber: called.load },
				event: expect.objectContaining({ event: 'call.completed' }),
			}),
		]);
		expect(resumed.run?.output()[0]?.pairedItem).toEqual({ item: 0 });
		expect(resumed.run?.runs()).toHaveLength(1);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('adds what the list shows if the event says only that the call has ended', async () => {
		const run = await dispatch.run(byWebhook);
		await dispatch.sandbox.finishCalls();
		const { answer } = await sendEvent(dispatch, run, { event: 'call.ended' });
		expect(answer.workflowData?.[0]?.[0]?.json).toMatchObject({
			...{ timedOut: false, summary: expect.any(String), transcript: expect.any(String) },
			status: 'ended',
			recordingUrl: expect.stringMatching('http'),
		});
	});

	it('ends with the event even if the list cannot be read', async () => {
		const run = await dispatch.run(byWebhook);
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 501 },
		});
		const resumed = await sendEvent(dispatch, run, { event: 'call.failed' });
		expect(resumed.run?.items).toEqual([
			expect.objectContaining({ status: 'failed', timedOut: false, callId: placed()?.callId }),
		]);
	});

	it('ends with the event even if the credential is broken by then', async () => {
		const run = await dispatch.run(byWebhook);
		const credential = dispatch.credentials.carrierLoadCommunicationsApi;
		const { baseUrl } = credential;
		credential.baseUrl = 'nowhere';
		const resumed = await sendEvent(dispatch, run, { event: 'call.failed' });
		credential.baseUrl = baseUrl;
		expect(resumed.run?.items).toEqual([
			expect.objectContaining({ status: 'failed', timedOut: false, callId: placed()?.callId }),
		]);
	});

	it('keeps the resume URL out of the output, even if the service repeats the metadata', async () => {
		const run = await dispatch.run({ ...byWebhook, output: 'all' });
		expect(JSON.stringify(run.items)).not.toContain('webhook-waiting');
		const metadata = JSON.stringify(placed()?.metadata);
		const repeated = { extractedData: { metadata }, transcript: `Agent: ${metadata}` };
		const { answer } = await sendEvent(dispatch, run, completed(repeated));
		expect(answer.started).toBe(true);
		expect(JSON.stringify(answer.workflowData)).not.toContain('webhook-waiting');
		const listed = { id: placed()?.callId, summary: 'On time.', metadata: placed()?.metadata };
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'body', body: { calls: [listed], pagination: { total: 1 } } },
		});
		const looked = await sendEvent(dispatch, run, { event: 'call_ended' });
		expect(looked.run?.items[0]).toMatchObject({ listedCall: { summary: 'On time.' } });
		expect(JSON.stringify(looked.run?.items)).not.toContain('webhook-waiting');
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'continues with the call and timedOut when the time is up, on error %s',
		async (onError) => {
			const called = driver();
			const run = await dispatch.run(byWebhook, { items: [called], node: { onError } });
			const resumed = await dispatch.engine.resumeAfterWait(run);
			expect(resumed.status).toBe('success');
			expect(resumed.items).toEqual([
				expect.objectContaining({
					...{ timedOut: true, loadNumber: called.load, callId: placed()?.callId },
					status: 'IN_PROGRESS',
				}),
			]);
			expect(resumed.output()[0]?.pairedItem).toMatchObject({ item: 0 });
			expect(resumed.output(1)).toEqual([]);
			expect(resumed.runs()).toHaveLength(1);
			expect(dispatch.dialed()).toHaveLength(1);
		},
	);

	it('does not wait for a call that has already ended', async () => {
		dispatch.fail({ kind: 'truncated' });
		const running = dispatch.run({ ...byWebhook, options: { lookForLostAnswers: 5 } });
		while (dispatch.dialed().length === 0) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		const { status, items } = await running;
		expect(status).toBe('success');
		expect(items[0]).toMatchObject({ timedOut: false, summary: expect.any(String) });
	});

	it('waits immediately if the list cannot be read: the event may come at any moment', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 503 },
		});
		expect((await dispatch.run(byWebhook)).status).toBe('waiting');
		expect(dispatch.sandbox.ledger.requests('listCalls')).toHaveLength(1);
	});

	it.each(['Call }} now', 'Call {{ $json.load }}', 'Call "driver" \\ {1}'])(
		'continues with the event if the node is called %s',
		async (name) => {
			const json = savedWorkflow(byWebhook, { name });
			json.connections = { Start: { main: [[{ node: name, type: 'main', index: 0 }]] } };
			const { credentials, engine } = dispatch;
			const options = { credentials, items: drivers(1), subject: name };
			const resumed = await sendEvent(
				dispatch,
				await engine.runWorkflow(json, options),
				completed(),
			);
			expect(resumed.run?.items).toEqual([expect.objectContaining({ summary: 'On time.' })]);
		},
	);

	it('waits with the metadata of an earlier call, which names the execution that placed that one', async () => {
		const metadata = { n8nExecutionId: '17', n8nItem: 0, team: 'west' };
		const given = { metadataFrom: 'json', metadataJson: JSON.stringify(metadata) };
		const run = await dispatch.run({ ...byWebhook, ...given });
		expect(run.status).toBe('waiting');
		const resumed = await sendEvent(dispatch, run, completed());
		expect(resumed.run?.items).toEqual([expect.objectContaining({ summary: 'On time.' })]);
	});

	it('accepts one item: more are an error before any call, which suggests a loop', async () => {
		const { error } = await dispatch.run(byWebhook, { items: drivers(2) });
		expect(error?.message).toMatch('Put a Loop Over Items node with a batch size of 1');
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it.each([0, -1, 'soon'])(
		'checks its time limit before dialing: %s is an error',
		async (waitLimit) => {
			const { error } = await dispatch.run({ ...byWebhook, waitLimit });
			expect(error?.message).toMatch('Wait at Most (Minutes)');
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);

	it('rejects a metadata key that it needs itself', async () => {
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

describe('waiting for the event of a call that was skipped as a duplicate', () => {
	const guarded: INodeParameters = {
		...byWebhook,
		rules: { skipIfCalledWithin: 10 },
		options: { lookForLostAnswers: 0.1 },
	};

	it('does not wait, because its event goes to the execution that placed the call', async () => {
		const items = [driver()];
		expect((await dispatch.run(guarded, { items })).status).toBe('waiting');
		const { status, items: skipped } = await dispatch.run(guarded, { items });
		expect(status).toBe('success');
		expect(skipped).toEqual([expect.objectContaining({ timedOut: true })]);
		expect(skipped[0]?.placementReason).toMatch('did not wait');
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('returns the outcome if the call has already ended', async () => {
		const items = [driver()];
		await dispatch.run(guarded, { items });
		await dispatch.sandbox.finishCalls();
		const { items: skipped } = await dispatch.run(guarded, { items });
		expect(skipped).toEqual([
			expect.objectContaining({ timedOut: false, summary: expect.any(String) }),
		]);
		expect(skipped[0]?.placementReason ?? '').not.toMatch('did not wait');
	});
});
