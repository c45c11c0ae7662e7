import type { INodeParameters } from 'n8n-workflow';
import { startSandbox } from '../../../../sandbox/index.mts';
import { drivers, savedWorkflow } from '../../support/calls/dispatch.mts';
import { openListService } from '../../support/calls/list-service.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const byPolling: INodeParameters = { waitForOutcome: 'polling', waitLimit: 1, pollInterval: 0.05 };

describe('waiting until the list shows the outcome', () => {
	it('polls for all items together, with one request at a time', async () => {
		const running = dispatch.run(byPolling, { items: drivers(3) });
		while (dispatch.dialed().length < 3) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		const { items } = await running;
		expect(items.map(({ timedOut }) => timedOut)).toEqual([false, false, false]);
		expect(items.map(({ status }) => status)).toEqual(Array(3).fill('COMPLETED'));
		expect(
			items.every(({ summary, transcript, recordingUrl }) => summary && transcript && recordingUrl),
		).toBe(true);
		expect(dispatch.sandbox.ledger.requests('listCalls').length).toBeLessThan(6);
	});

	it('shares its looks at the list with nine other executions that wait', async () => {
		await dispatch.run();
		const running = drivers(10).map(async (item) => dispatch.run(byPolling, { items: [item] }));
		while (dispatch.dialed().length < 11) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		const runs = await Promise.all(running);
		expect(runs.map(({ items }) => items[0]?.timedOut)).toEqual(Array(10).fill(false));
		expect(dispatch.sandbox.ledger.requests('listCalls').length).toBeLessThan(10);
	});

	it('finds the outcome in the list of a service whose clock is two hours ahead', async () => {
		const createdAt = new Date(Date.now() + 7_200_000).toISOString();
		const service = await openListService(() => ({ id: 5012, createdAt, summary: 'On time.' }));
		const { items } = await dispatch.run(
			{ ...byPolling, waitLimit: 0.2 },
			{ credentials: service.credentials },
		);
		await service.close();
		expect(items).toEqual([expect.objectContaining({ summary: 'On time.', timedOut: false })]);
	});

	it('ends at its time limit with timedOut', async () => {
		const { items } = await dispatch.run({ ...byPolling, waitLimit: 0.003 });
		expect(items[0]).toMatchObject({ placement: 'placed', timedOut: true, status: 'IN_PROGRESS' });
	});

	it('returns placed calls when the list cannot be read, and says why the outcome is missing', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 501 },
		});
		const { items, hints } = await dispatch.run({ ...byPolling, waitLimit: 0.05 });
		expect(items[0]).toMatchObject({ placement: 'placed', timedOut: true });
		expect(hints[0]?.message).toMatch('The call list could not be read');
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

	it('sends no further request when the user presses Stop between two', async () => {
		const stop = new AbortController();
		const running = dispatch.run(byPolling, { signal: stop.signal });
		const requests = () => dispatch.sandbox.ledger.requests('listCalls');
		while (requests().at(-1)?.status !== 200) await new Promise((next) => setImmediate(next));
		stop.abort();
		expect((await running).status).toBe('canceled');
		// The next request would come after 50 ms.
		await new Promise((resolve) => setTimeout(resolve, 1000));
		expect(requests()).toHaveLength(1);
	});

	it.each([-2, 2])("finds the outcome if the service's clock is %s minutes off", async (by) => {
		const now = () => new Date(Date.now() + by * 60_000);
		const sandbox = await startSandbox({
			calls: 0,
			callDelayMs: Infinity,
			now,
			bounds: 'exclusive',
		});
		const { baseUrl, tokens } = sandbox;
		const credentials = {
			carrierLoadCommunicationsApi: { baseUrl, accessToken: tokens.north },
		};
		try {
			const running = dispatch.engine.runWorkflow(savedWorkflow(byPolling), {
				...{ credentials, items: drivers(1), subject: 'Call' },
			});
			while (sandbox.ledger.dialed().length === 0) {
				await new Promise((next) => setImmediate(next));
			}
			await sandbox.finishCalls();
			expect((await running).items[0]).toMatchObject({ timedOut: false });
		} finally {
			await sandbox.close();
		}
	});

	it('works for agent calls too', async () => {
		const running = dispatch.run({
			...byPolling,
			...{ operation: 'createAgentCall', agentId: 'agent-7' },
		});
		while (dispatch.dialed().length === 0) await new Promise((resolve) => setImmediate(resolve));
		await dispatch.sandbox.finishCalls();
		expect((await running).items[0]).toMatchObject({ timedOut: false, agentId: 'agent-7' });
	});
});
