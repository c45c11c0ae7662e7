import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../support/wait-until.mts';
import { type Cluster, leadTo, post } from '../support/cluster.mts';
import { newDriver, newDrivers } from '../support/drivers.mts';
import { openReports, type Reports } from '../support/reports.mts';

const SAVED = ['all', 'none'];

/** n8n checks once a minute for executions whose wait is over, so these tests take that long. */
export function testWaiting(cluster: Cluster): void {
	let reports: Reports;
	beforeAll(async () => {
		reports = await openReports();
		cluster.sandbox.setWebhook({ url: (await cluster.eventWorkflow()).url });
	});
	afterAll(async () => await reports.close());
	beforeEach(() => void (reports.items.length = 0));

	const dialed = () => cluster.sandbox.ledger.dialed();
	const reported = (load: string) => reports.items.filter(({ loadNumber }) => loadNumber === load);
	const allWait = async (id: string, count: number) => {
		const executions = await cluster.executions(id);
		return executions.length === count && executions.every(({ status }) => status === 'waiting');
	};
	const waiting = async (saved: string, waitLimit: number) =>
		await cluster.checkCallWorkflow(
			{ waitForOutcome: 'webhook', waitLimit },
			{
				...{ nodes: [reports.node('Report')], connections: { Call: leadTo('Report') } },
				settings: { saveDataSuccessExecution: saved },
			},
		);

	it('continues with event and outcome, whichever executions n8n saves', async () => {
		const called = await Promise.all(
			SAVED.map(async (saved) => {
				const { id, url } = await waiting(saved, 30);
				const five = newDrivers(5);
				for (const one of five) await post(url, one);
				await waitUntil(`five executions that wait (${saved})`, () => allWait(id, 5));
				return five;
			}),
		);
		// n8n deletes a successful execution only once its process learns of the success.
		await new Promise((resolve) => setTimeout(resolve, 3000));
		await cluster.sandbox.finishCalls();
		await waitUntil('ten outcomes', () => reports.items.length >= 10);
		for (const { load } of called.flat()) {
			expect(reported(load)).toEqual([
				expect.objectContaining({ timedOut: false, summary: expect.any(String) }),
			]);
		}
		expect(dialed()).toHaveLength(10);
	});

	it('continues with timedOut when the time is up, whichever executions n8n saves', async () => {
		const called = newDrivers(4);
		for (const saved of SAVED) {
			const { id, url } = await waiting(saved, 0.3);
			for (const one of called.splice(0, 2)) {
				await post(url, one);
				called.push(one);
			}
			await waitUntil('two executions that wait', () => allWait(id, 2));
		}
		await waitUntil('four reports', () => reports.items.length >= 4);
		for (const { load } of called) {
			const { callId } = dialed().find(({ loadNumber }) => loadNumber === load) ?? {};
			expect(reported(load)).toEqual([expect.objectContaining({ timedOut: true, callId })]);
		}
		expect(dialed()).toHaveLength(4);
	});

	it('calls and waits again in a workflow that does so when the time is up', async () => {
		const isTimedOut = {
			...{ id: randomUUID(), name: 'Timed Out', type: 'n8n-nodes-base.if', typeVersion: 1 },
			position: [400, 0],
			parameters: {
				conditions: {
					boolean: [{ value1: '={{ $json.timedOut && $runIndex < 1 }}', value2: true }],
				},
			},
		};
		const again = await cluster.checkCallWorkflow(
			{
				...{ waitForOutcome: 'webhook', waitLimit: '={{ $runIndex === 0 ? 0.05 : 30 }}' },
				...{ toPhone: "={{ $('Webhook').item.json.body.phone }}" },
				...{ loadNumber: "={{ $('Webhook').item.json.body.load }}" },
				skipIfCalledWithin: 0,
			},
			{
				nodes: [isTimedOut, reports.node('Report')],
				connections: { Call: leadTo('Timed Out'), 'Timed Out': leadTo('Call', 'Report') },
			},
		);
		await post(again.url, newDriver());
		await waitUntil('the second call', () => dialed().length === 2);
		await waitUntil('its wait', () => allWait(again.id, 1));
		const [first, second] = dialed();
		// The late event of the first call must not end the wait for the second.
		await cluster.sandbox.finishCalls();
		await waitUntil('the report', () => reports.items.length > 0);
		expect(reports.items).toEqual([
			expect.objectContaining({ timedOut: false, callId: second?.callId }),
		]);
		expect(first?.callId).not.toBe(second?.callId);
		expect(dialed()).toHaveLength(2);
	});
}
