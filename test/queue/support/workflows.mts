import { randomUUID } from 'node:crypto';
import { type JsonObject, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { CREDENTIAL } from './credential.mts';
import type { Processes } from './processes.mts';

/** A published workflow, and where its webhook is. */
export interface Published {
	id: string;
	url: string;
}

/** What a workflow with a check call has next to it. */
interface More {
	nodes?: JsonObject[];
	connections?: JsonObject;
	settings?: JsonObject;
	/** Settings of the node "Call". */
	call?: JsonObject;
	credential?: string;
}

/** Creates and publishes workflows. */
export class Workflows {
	private readonly n8n: Processes;

	constructor(n8n: Processes) {
		this.n8n = n8n;
	}

	/** A POST with `phone` and `load` places a check call, in the node "Call". */
	async checkCall(parameters: JsonObject, more: More = {}): Promise<Published> {
		const webhookId = randomUUID();
		const webhook = {
			...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			...{ webhookId, position: [0, 0], parameters: { path: webhookId, httpMethod: 'POST' } },
		};
		const { credential: name = CREDENTIAL } = more;
		const call = {
			...{ id: randomUUID(), name: 'Call', type: `${PACKAGE_NAME}.carrierLoadCommunications` },
			...{ typeVersion: 1, position: [200, 0], ...more.call },
			credentials: { carrierLoadCommunicationsApi: { id: null, name } },
			parameters: {
				...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0 },
				// The tests call one driver again and again.
				rules: { samePhonePause: 0 },
				...{ toPhone: '={{ $json.body.phone }}', loadNumber: '={{ $json.body.load }}' },
				...parameters,
			},
		};
		const id = await this.publish({
			nodes: [webhook, call, ...(more.nodes ?? [])],
			connections: { Webhook: leadTo('Call'), ...more.connections },
			settings: { executionOrder: 'v1', ...more.settings },
		});
		return await this.registered(id, `/webhook/${webhookId}`);
	}

	/** It begins with this package's trigger, and may go on with a node "Next". */
	async event(next?: JsonObject): Promise<Published> {
		const webhookId = randomUUID();
		const type = `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`;
		const trigger = {
			...{ id: randomUUID(), name: 'Event', type, typeVersion: 2, position: [0, 0], webhookId },
			parameters: { authentication: 'none' },
		};
		const following = next && { id: randomUUID(), name: 'Next', position: [200, 0], ...next };
		const id = await this.publish({
			nodes: following ? [trigger, following] : [trigger],
			connections: following ? { Event: leadTo('Next') } : {},
		});
		return await this.registered(id, `/webhook/${webhookId}/webhook`);
	}

	/** Waits until a workflow's webhook answers. */
	async registered(id: string, path: string): Promise<Published> {
		const { main, session } = this.n8n;
		const url = `${main.baseUrl}${path}`;
		await waitUntil(`the webhook of ${id}`, async () => await session.webhookIsRegistered(url));
		return { id, url };
	}

	private async publish(workflow: {
		nodes: JsonObject[];
		connections: JsonObject;
		settings?: JsonObject;
	}): Promise<string> {
		const { session } = this.n8n;
		const created = await session.createWorkflow({
			...{ name: `Calls ${randomUUID()}`, settings: { executionOrder: 'v1' } },
			...workflow,
		});
		const id = textIn(created, 'id');
		await session.activate(id);
		return id;
	}
}

/** A node's connections: one list of nodes for each output. */
export function leadTo(...outputs: Array<string | string[]>): JsonObject {
	const main = outputs.map((names) =>
		[names].flat().map((node) => ({ node, type: 'main', index: 0 })),
	);
	return { main };
}

/** Sends an item to a workflow's webhook. */
export async function post(url: string, body: object, more = {}): Promise<number> {
	const headers = { 'content-type': 'application/json', ...more };
	const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	await response.arrayBuffer();
	return response.status;
}
