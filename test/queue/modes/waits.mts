import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../playground/n8n/rest.mts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { leadTo, post } from '../support/workflows.mts';
import { type Driver, newDriver, newDrivers } from '../support/drivers.mts';
import { openReports, type Reports } from '../support/reports.mts';

/** For n8n's setting that says which successful executions it saves. */
export const SAVED = ['all', 'none'];

const CREDENTIAL = 'The service of those that wait';

const IS_TIMED_OUT: JsonObject = {
	...{ id: randomUUID(), name: 'Timed Out', type: 'n8n-nodes-base.if', typeVersion: 1 },
	position: [400, 0],
	parameters: {
		conditions: {
			boolean: [{ value1: '={{ $json.timedOut && $runIndex < 1 }}', value2: true }],
		},
	},
};

/**
 * Executions that wait for the webhook event, with a service of their own. n8n checks once a minute for those whose
 * time is up, so they begin before other tests.
 */
export class Waits {
	private readonly cluster: Cluster;
	sandbox!: Sandbox;
	reports!: Reports;
	/** Their executions wait until the time is up. */
	readonly timedOut: Driver[] = [];
	/** The execution waits until the time is up, calls again, and waits for the outcome of that call. */
	readonly calledAgain = newDriver();
	private againId = '';

	constructor(cluster: Cluster) {
		this.cluster = cluster;
	}

	async begin(): Promise<void> {
		this.reports = await openReports();
		this.sandbox = await this.cluster.openSandbox(CREDENTIAL);
		this.sandbox.setWebhook({ url: (await this.cluster.workflows.event()).url });
		for (const saved of SAVED) this.timedOut.push(...(await this.post(2, saved, 0.3)));
		this.againId = await this.callAgain();
	}

	async close(): Promise<void> {
		await this.reports?.close();
	}

	/** Starts executions that wait; resolves when they do. */
	async post(count: number, saved: string, waitLimit: number): Promise<Driver[]> {
		const { id, url } = await this.cluster.workflows.checkCall(
			{ waitForOutcome: 'webhook', waitLimit },
			{
				...{ nodes: [this.reports.node('Report')], connections: { Call: leadTo('Report') } },
				...{ settings: { saveDataSuccessExecution: saved }, credential: CREDENTIAL },
			},
		);
		const drivers = newDrivers(count);
		for (const one of drivers) await post(url, one);
		await waitUntil(`${count} executions that wait (${saved})`, () => this.allWait(id, count));
		return drivers;
	}

	async waitsAgain(): Promise<boolean> {
		return await this.allWait(this.againId, 1);
	}

	callsTo({ load }: Driver) {
		return this.sandbox.ledger.dialed().filter(({ loadNumber }) => loadNumber === load);
	}

	reported({ load }: Driver): JsonObject[] {
		return this.reports.items.filter(({ loadNumber }) => loadNumber === load);
	}

	private async allWait(id: string, count: number): Promise<boolean> {
		const executions = await this.cluster.executions.of(id);
		return executions.length === count && executions.every(({ status }) => status === 'waiting');
	}

	private async callAgain(): Promise<string> {
		const { id, url } = await this.cluster.workflows.checkCall(
			{
				...{ waitForOutcome: 'webhook', waitLimit: '={{ $runIndex === 0 ? 0.05 : 30 }}' },
				...{ toPhone: "={{ $('Webhook').item.json.body.phone }}" },
				...{ loadNumber: "={{ $('Webhook').item.json.body.load }}" },
				rules: { skipIfCalledWithin: 0 },
			},
			{
				nodes: [IS_TIMED_OUT, this.reports.node('Report')],
				connections: { Call: leadTo('Timed Out'), 'Timed Out': leadTo('Call', 'Report') },
				credential: CREDENTIAL,
			},
		);
		await post(url, this.calledAgain);
		return id;
	}
}
