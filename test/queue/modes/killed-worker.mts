import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { post } from '../support/workflows.mts';
import { type Driver, newDriver } from '../support/drivers.mts';

interface Called {
	workflow: { id: string; url: string };
	driver: Driver;
	callId: unknown;
	/** Of the workflow's first execution. */
	id: string;
}

/**
 * What n8n 2.41 does when a worker is killed: the job stalls and is not handed out again (scaling.service.js:
 * maxStalledCount 0). The execution ends as an error without any data, so that Retry has nothing to start from. A new
 * execution is what a dispatcher can start.
 *
 * Needs two workers, and kills them. Those in their place have to look for stalled jobs often.
 */
export function testKilledWorkers(cluster: Cluster): void {
	beforeAll(() => cluster.forget());

	const callsTo = ({ phone }: Driver) =>
		cluster.sandbox.ledger.dialed().filter(({ toPhone }) => toPhone === phone);

	async function call(workflow: Called['workflow']): Promise<Called> {
		const driver = newDriver();
		await post(workflow.url, driver);
		await waitUntil('the call', () => callsTo(driver).length === 1);
		const [{ id } = { id: '' }] = await cluster.executions.of(workflow.id);
		const [{ callId } = {}] = callsTo(driver);
		return { workflow, driver, callId, id };
	}

	async function becomes(status: string, { id }: Called): Promise<void> {
		const isSo = async () => (await cluster.executions.status(id)) === status;
		await waitUntil(`an execution with the status ${status}`, isSo, 300_000);
	}

	/** Runs the workflow again for the same driver; resolves to the item of its call. */
	async function runAgain({ workflow, driver }: Called) {
		const before = (await cluster.executions.of(workflow.id)).length;
		await post(workflow.url, driver);
		await waitUntil('the new execution', async () => {
			const executions = await cluster.executions.of(workflow.id);
			return executions.length > before && executions[0]?.status === 'success';
		});
		const [newest] = await cluster.executions.of(workflow.id);
		return (await cluster.executions.calls(newest?.id ?? '')).items[0];
	}

	/** Retry starts an execution that has nothing to call with. */
	async function retryInVain({ workflow, id }: Called): Promise<void> {
		const before = (await cluster.executions.of(workflow.id)).length;
		// In queue mode, n8n was once seen not to respond within three minutes, so its list is watched.
		cluster.executions.retry(id).catch(() => undefined);
		await waitUntil('the end of the retry', async () => {
			const executions = await cluster.executions.of(workflow.id);
			return executions.length > before && executions[0]?.status === 'error';
		});
	}

	/** n8n says that the worker is gone, and neither Retry nor a new execution calls again. */
	async function tryAgain(called: Called): Promise<void> {
		const { callId } = called;
		expect(await cluster.session.executions.error(called.id)).toMatch(
			'failed to be processed too many times',
		);
		expect((await cluster.executions.calls(called.id)).runs).toBe(0);

		await retryInVain(called);
		expect(await runAgain(called)).toMatchObject({ callId, placement: 'skippedDuplicate' });
		expect(callsTo(called.driver)).toHaveLength(1);
	}

	describe('while both run an execution', () => {
		let dialing: Called;
		let polling: Called;
		beforeAll(async () => {
			const { faults, ledger } = cluster.sandbox;
			faults.add({ endpoint: 'triggerCheckCall', fault: { kind: 'hang', when: 'after' } });
			dialing = await call(await cluster.workflows.checkCall({}));
			const outcome = { waitForOutcome: 'polling', waitLimit: 30 };
			polling = await call(await cluster.workflows.checkCall(outcome));
			const before = ledger.requests('listCalls').length;
			await waitUntil('a poll', () => ledger.requests('listCalls').length > before);
			for (const called of [dialing, polling]) {
				await becomes('running', called);
				await cluster.replaceWorkerOf(called.id);
			}
		});

		it('a worker killed while dialing: n8n shows an error, and no one is called again', async () => {
			await becomes('error', dialing);
			await tryAgain(dialing);
		});

		it('a worker killed while polling for the outcome: the same', async () => {
			await becomes('error', polling);
			await cluster.sandbox.finishCalls();
			await tryAgain(polling);
		});
	});

	it('a worker killed while its execution waits for the webhook event: the event still arrives', async () => {
		cluster.sandbox.setWebhook({ url: (await cluster.workflows.event()).url });
		const outcome = { waitForOutcome: 'webhook', waitLimit: 30 };
		const called = await call(await cluster.workflows.checkCall(outcome));
		await becomes('waiting', called);
		await cluster.killWorkerOf(called.id);
		await cluster.sandbox.finishCalls();
		await becomes('success', called);
		const { items } = await cluster.executions.calls(called.id);
		expect(items[0]).toMatchObject({ placement: 'placed', timedOut: false, status: 'COMPLETED' });
		expect(callsTo(called.driver)).toHaveLength(1);
	});
}
