import { Cluster, post } from './support/cluster.mts';
import { waitUntil } from '../support/wait-until.mts';

// What n8n 2.41 does when a worker is killed: the job stalls and is not handed out again
// (scaling.service.js: maxStalledCount 0). The execution ends as an error without any data, so that
// Retry has nothing to start from. A new execution is what a dispatcher can start.
const cluster = new Cluster();
beforeAll(async () => {
	// With n8n's defaults (60 and 30 seconds) it takes longer until a job counts as stalled.
	const quick = { QUEUE_WORKER_LOCK_DURATION: '15000', QUEUE_WORKER_LOCK_RENEW_TIME: '5000' };
	await cluster.open('queue', { ...quick, QUEUE_WORKER_STALLED_INTERVAL: '5000' });
	cluster.sandbox.setWebhook({ url: (await cluster.eventWorkflow()).url });
}, 1_800_000);
afterAll(async () => await cluster.close());
beforeEach(() => {
	cluster.sandbox.faults.clear();
	cluster.sandbox.ledger.clear();
});

let known = 0;
const driver = () => {
	const line = String(known++).padStart(2, '0');
	return { phone: `+1312555${`01${line}`}`, load: `K${line}` };
};
const dialed = () => cluster.sandbox.ledger.dialed();

/** Resolves to the ID of a workflow's only execution when it has this status. */
async function whenItIs(status: string, workflowId: string): Promise<string> {
	const only = async () => (await cluster.executions(workflowId))[0];
	const isSo = async () => (await only())?.status === status;
	await waitUntil(`an execution with the status ${status}`, isSo, 300_000);
	return (await only())?.id ?? '';
}

/** Runs the workflow again for the same driver; resolves to the item of its call. */
async function runAgain(workflow: { id: string; url: string }, body: object) {
	const before = (await cluster.executions(workflow.id)).length;
	await post(workflow.url, body);
	await waitUntil('the new execution', async () => {
		const executions = await cluster.executions(workflow.id);
		return executions.length > before && executions[0]?.status === 'success';
	});
	const [newest] = await cluster.executions(workflow.id);
	return (await cluster.calls(newest?.id ?? '')).items[0];
}

/** Retry starts an execution that has nothing to call with. */
async function retryInVain(workflowId: string, executionId: string): Promise<void> {
	const before = (await cluster.executions(workflowId)).length;
	// In queue mode, n8n was once seen not to respond within three minutes, so its list is watched.
	cluster.retry(executionId).catch(() => undefined);
	await waitUntil('the end of the retry', async () => {
		const executions = await cluster.executions(workflowId);
		return executions.length > before && executions[0]?.status === 'error';
	});
}

/** The worker is killed; n8n says so, and neither Retry nor a new execution calls again. */
async function killAndTryAgain(workflow: { id: string; url: string }, called: object) {
	const [{ callId } = {}] = dialed();
	await cluster.killWorkerOf(await whenItIs('running', workflow.id));
	const id = await whenItIs('error', workflow.id);
	expect(await cluster.session.executions.error(id)).toMatch(
		'failed to be processed too many times',
	);
	expect((await cluster.calls(id)).runs).toBe(0);

	await retryInVain(workflow.id, id);
	expect(await runAgain(workflow, called)).toMatchObject({ callId, placement: 'skippedDuplicate' });
	expect(dialed()).toHaveLength(1);
}

it('a worker killed while dialing: n8n shows an error, and nobody is called again', async () => {
	const called = driver();
	const workflow = await cluster.checkCallWorkflow({});
	cluster.sandbox.faults.add({
		...{ endpoint: 'triggerCheckCall', fault: { kind: 'hang', when: 'after' } },
	});
	await post(workflow.url, called);
	await waitUntil('the call', () => dialed().length === 1);
	await killAndTryAgain(workflow, called);
}, 1_800_000);

it('a worker killed while polling for the outcome: the same', async () => {
	const called = driver();
	const workflow = await cluster.checkCallWorkflow({ waitForOutcome: 'polling', waitLimit: 30 });
	await post(workflow.url, called);
	await waitUntil('a poll', () => {
		const { requests } = cluster.sandbox.ledger;
		return dialed().length === 1 && requests('listCalls').length >= 2;
	});
	const finish = waitUntil('the error', async () => {
		// The newest is first, and Retry may have begun.
		return (await cluster.executions(workflow.id)).at(-1)?.status === 'error';
	}).then(() => cluster.sandbox.finishCalls());
	await Promise.all([killAndTryAgain(workflow, called), finish]);
}, 1_800_000);

it('a worker killed while its execution waits for the webhook event: the event still arrives', async () => {
	const workflow = await cluster.checkCallWorkflow({ waitForOutcome: 'webhook', waitLimit: 30 });
	await post(workflow.url, driver());
	await cluster.killWorkerOf(await whenItIs('waiting', workflow.id));
	await cluster.sandbox.finishCalls();
	const id = await whenItIs('success', workflow.id);
	const { items } = await cluster.calls(id);
	expect(items[0]).toMatchObject({ placement: 'placed', timedOut: false, status: 'COMPLETED' });
	expect(dialed()).toHaveLength(1);
}, 1_800_000);
