import { randomUUID } from 'node:crypto';
import { type JsonObject, textIn } from '../../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../../playground/setup/paths.mts';
import type { TriggersEnvironment } from './triggers-environment.mts';

/**
 * A poll every 20 seconds. n8n 2.41 takes no shorter time than a minute, but several of them
 * (n8n-workflow: isSubMinuteCron).
 */
const EVERY_20_SECONDS = {
	item: ['0', '20', '40'].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** Polling triggers that read one service, in one n8n. */
export class PollingWorkflows {
	private readonly environment: TriggersEnvironment;
	private readonly credential = `Service ${randomUUID()}`;

	constructor(environment: TriggersEnvironment) {
		this.environment = environment;
	}

	async open(baseUrl: string, accessToken = 'a-token-of-the-tests'): Promise<void> {
		await this.environment.session.createCredential({
			...{ name: this.credential, type: 'carrierLoadCommunicationsApi' },
			data: { baseUrl, accessToken },
		});
	}

	/** A polling trigger with this name. */
	trigger(name: string, event = 'newCall'): JsonObject {
		return {
			...{ id: randomUUID(), name, position: [0, 0], typeVersion: 1 },
			type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`,
			parameters: { event, pollTimes: EVERY_20_SECONDS },
			credentials: { carrierLoadCommunicationsApi: { id: null, name: this.credential } },
		};
	}

	/** A workflow with these nodes, which are not connected. Returns its ID. */
	async create(nodes: JsonObject[]): Promise<string> {
		const settings = { executionOrder: 'v1' };
		const workflow = { name: `Poll ${randomUUID()}`, nodes, connections: {}, settings };
		return textIn(await this.environment.session.createWorkflow(workflow), 'id');
	}

	/** IDs of the calls that a trigger has delivered, the smallest first. */
	async delivered(workflowId: string, trigger: string): Promise<number[]> {
		const executions = await this.environment.executionIds(workflowId);
		const items = executions.map(async (id) => await this.environment.itemsOf(id, trigger));
		const ids = (await Promise.all(items)).flat().map((item) => Number(item['callId']));
		return ids.sort((one, other) => one - other);
	}
}
