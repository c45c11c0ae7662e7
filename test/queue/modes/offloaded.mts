import { randomUUID } from 'node:crypto';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { CREDENTIAL } from '../support/credential.mts';
import { type Driver, newDriver, newDrivers } from '../support/drivers.mts';
import { leadTo } from '../support/workflows.mts';

/**
 * "Execute workflow" and "Fetch Test Event" in queue mode when workers run them, as all do from n8n 3.0 on.
 * For two workers and OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS=true.
 */
export function testOffloaded(cluster: Cluster): void {
	beforeEach(() => cluster.forget());

	const dialed = () => cluster.sandbox.ledger.dialed();

	/** A workflow with a manual trigger that calls each driver. Returns its ID. */
	async function manualCalls(drivers: Driver[], parameters: JsonObject): Promise<string> {
		const node = (name: string, type: string, typeVersion: number, of: JsonObject) => ({
			...{ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters: of },
		});
		const call = {
			...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0, rules: {} },
			...{ toPhone: '={{ $json.phone }}', loadNumber: '={{ $json.load }}', ...parameters },
		};
		const rows = { mode: 'raw', jsonOutput: JSON.stringify({ drivers }), options: {} };
		const created = await cluster.session.createWorkflow({
			name: `Manual ${randomUUID()}`,
			nodes: [
				node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
				node('Drivers', 'n8n-nodes-base.set', 3.4, rows),
				node('Each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'drivers', options: {} }),
				{
					...node('Call', `${PACKAGE_NAME}.carrierLoadCommunications`, 1, call),
					credentials: { carrierLoadCommunicationsApi: { id: null, name: CREDENTIAL } },
				},
			],
			connections: { Start: leadTo('Drivers'), Drivers: leadTo('Each'), Each: leadTo('Call') },
			settings: { executionOrder: 'v1' },
		});
		return textIn(created, 'id');
	}

	/** Starts a workflow as the editor does. Returns the execution's ID, or '' if n8n listens for an event first. */
	async function execute(workflowId: string, trigger = 'Start'): Promise<string> {
		const path = `/rest/workflows/${workflowId}/run`;
		const body = { triggerToStartFrom: { name: trigger } };
		const begun = await cluster.session.rest.send('execute', 'POST', path, body);
		return textIn(begun, 'executionId');
	}

	async function becomes(status: string, id: string): Promise<void> {
		const isSo = async () => (await cluster.executions.status(id)) === status;
		await waitUntil(`an execution with the status ${status}`, isSo);
	}

	const itemsOf = async (id: string) => (await cluster.executions.calls(id)).items;

	it('a worker runs it, and a second run does not call again', async () => {
		const id = await manualCalls([newDriver()], { rules: { skipIfCalledWithin: 10 } });
		const first = await execute(id);
		await becomes('success', first);
		const second = await execute(id);
		await becomes('success', second);
		for (const id of [first, second]) expect(cluster.isTaken(id)).toBe(true);
		const [placed] = await itemsOf(first);
		expect(placed).toMatchObject({ placement: 'placed' });
		expect(await itemsOf(second)).toMatchObject([
			{ placement: 'skippedDuplicate', callId: placed?.['callId'] },
		]);
		expect(dialed()).toHaveLength(1);
	});

	it('two runs that race on two workers place one call', async () => {
		// Both have read the list before either dials.
		cluster.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'latency', ms: 1500 },
		});
		for (let round = 1; round <= 3; round++) {
			const id = await manualCalls([newDriver()], { rules: { skipIfCalledWithin: 10 } });
			const both = await Promise.all([execute(id), execute(id)]);
			for (const one of both) await becomes('success', one);
			expect(dialed()).toHaveLength(round);
		}
	});

	it('waits for the webhook event and for the call list, and continues with the outcome', async () => {
		cluster.sandbox.setWebhook({ url: (await cluster.workflows.event()).url });
		const waits = { waitForOutcome: 'webhook', waitLimit: 30 };
		const byWebhook = await execute(await manualCalls([newDriver()], waits));
		await becomes('waiting', byWebhook);
		const polls = { waitForOutcome: 'polling', waitLimit: 30 };
		const byPolling = await execute(await manualCalls([newDriver()], polls));
		await waitUntil('both calls', () => dialed().length === 2);
		await cluster.sandbox.finishCalls();
		for (const id of [byWebhook, byPolling]) {
			await becomes('success', id);
			expect(await itemsOf(id)).toMatchObject([
				{ placement: 'placed', timedOut: false, summary: expect.any(String) },
			]);
		}
		expect(dialed()).toHaveLength(2);
	});

	it('places no more calls after Stop', async () => {
		cluster.sandbox.faults.add({
			...{ endpoint: 'triggerCheckCall', times: 'always' },
			fault: { kind: 'latency', ms: 1000 },
		});
		const id = await execute(await manualCalls(newDrivers(20), {}));
		await waitUntil('two calls', () => dialed().length >= 2);
		await cluster.session.rest.send('stop', 'POST', `/rest/executions/${id}/stop`, {});
		await becomes('canceled', id);
		const atStop = dialed().length;
		// As long as several calls would take.
		await new Promise((resolve) => setTimeout(resolve, 5000));
		expect(dialed().length).toBeLessThanOrEqual(atStop + 1);
		expect(dialed().length).toBeLessThan(8);
	});

	it('ends a wait for the call list at Stop, and asks the service nothing more', async () => {
		const polls = { waitForOutcome: 'polling', waitLimit: 30 };
		const id = await execute(await manualCalls([newDriver()], polls));
		const requests = () => cluster.sandbox.ledger.requests('listCalls').length;
		await waitUntil('the call', () => dialed().length === 1);
		await cluster.session.rest.send('stop', 'POST', `/rest/executions/${id}/stop`, {});
		await becomes('canceled', id);
		const atStop = requests();
		await new Promise((resolve) => setTimeout(resolve, 12_000));
		expect(requests()).toBeLessThanOrEqual(atStop + 1);
		await cluster.sandbox.finishCalls();
	});

	/** A workflow with only a trigger, not published. */
	async function listening(trigger: JsonObject): Promise<string> {
		const created = await cluster.session.createWorkflow({
			name: `Trigger ${randomUUID()}`,
			nodes: [{ id: randomUUID(), name: 'Trigger', position: [0, 0], ...trigger }],
			connections: {},
			settings: { executionOrder: 'v1' },
		});
		return textIn(created, 'id');
	}

	async function triggered(id: string): Promise<JsonObject[]> {
		const { resultData } = await cluster.session.executions.data(id);
		const [run] = recordsIn(isRecord(resultData) ? resultData['runData'] : undefined, 'Trigger');
		const data = run?.['data'];
		return [isRecord(data) ? data['main'] : []].flat(3).filter(isRecord);
	}

	it('Fetch Test Event shows up to five recent records', async () => {
		const id = await listening({
			...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`, typeVersion: 1 },
			parameters: { event: 'newCall' },
			credentials: { carrierLoadCommunicationsApi: { id: null, name: CREDENTIAL } },
		});
		for (let nth = 0; nth < 2; nth++) {
			const execution = await execute(id, 'Trigger');
			await becomes('success', execution);
			expect(await triggered(execution)).toHaveLength(5);
			expect(cluster.isTaken(execution)).toBe(true);
		}
	});

	it('the test URL of the webhook trigger shows the event', async () => {
		const webhookId = randomUUID();
		const type = `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`;
		const parameters = { authentication: 'none' };
		const id = await listening({ type, typeVersion: 2, webhookId, parameters });
		expect(await execute(id, 'Trigger')).toBe('');
		cluster.sandbox.setWebhook({
			url: `${cluster.main.baseUrl}/webhook-test/${webhookId}/webhook`,
		});
		const called = await execute(await manualCalls([newDriver()], {}));
		await becomes('success', called);
		const [{ callId } = {}] = await itemsOf(called);
		await cluster.sandbox.finishCalls();
		await waitUntil('the run with the event', async () => {
			const [newest] = await cluster.executions.of(id);
			return newest?.status === 'success';
		});
		const [newest] = await cluster.executions.of(id);
		expect(await triggered(newest?.id ?? '')).toMatchObject([{ json: { callId: String(callId) } }]);
	});
}
