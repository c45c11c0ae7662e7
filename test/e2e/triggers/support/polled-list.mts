import { isRecord } from '../../../../playground/n8n/rest.mts';
import { ListService } from '../../../engine/support/triggers/list-service.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { PollingWorkflows } from './polling.mts';
import type { TriggersEnvironment } from './triggers-environment.mts';

/** A service of a test's own, and the workflows that poll it. */
export class PolledList {
	readonly service = new ListService();
	readonly workflows: PollingWorkflows;
	private readonly environment: TriggersEnvironment;
	private requestsBefore = 0;

	constructor(environment: TriggersEnvironment) {
		this.environment = environment;
		this.workflows = new PollingWorkflows(environment);
	}

	async open(): Promise<void> {
		await this.service.open();
		await this.workflows.open(this.service.baseUrl);
	}

	async close(): Promise<void> {
		await this.service.close();
	}

	/** Publishes a workflow. n8n stores what its polling triggers remember once they have polled. */
	async publish(id: string, ...triggers: string[]): Promise<void> {
		await this.environment.session.activate(id);
		await waitUntil('the first polls', async () => {
			const stored = (await this.environment.session.workflow(id))?.['staticData'];
			return triggers.every((name) => isRecord(stored) && Object.hasOwn(stored, `node:${name}`));
		});
	}

	/** Adds a call that was just made, with its summary. */
	list(id: number): void {
		const made = Date.now();
		this.service.add(made, { id, createdAt: new Date(made).toISOString(), summary: 'said' });
		this.requestsBefore = this.service.requests;
	}

	/** Waits until a trigger has delivered the call that was listed last. */
	async untilSeen(workflowId: string, trigger: string, id: number): Promise<void> {
		// n8n is asked only once it has polled: each question costs it CPU time.
		await this.requested(this.requestsBefore + 1);
		const isSeen = async () => (await this.workflows.delivered(workflowId, trigger)).includes(id);
		await waitUntil(`${trigger}: ${id}`, isSeen, 600_000);
	}

	/** Waits for so many more requests. */
	async untilPolled(requests: number): Promise<void> {
		await this.requested(this.service.requests + requests);
	}

	private async requested(count: number): Promise<void> {
		await waitUntil('more polls', () => this.service.requests >= count, 600_000);
	}
}
