import { randomUUID } from 'node:crypto';
import { type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { waitUntil } from '../../support/wait-until.mts';

export const NODES = {
	action: `${PACKAGE_NAME}.carrierLoadCommunications`,
	trigger: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`,
	pollingTrigger: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`,
};
const SERVICE = { name: 'The service', type: 'carrierLoadCommunicationsApi' };

/** A published workflow; `url` is that of its webhook, if it has one. */
export interface Published {
	id: string;
	url: string;
}

/** An execution that has ended, or waits. */
export interface Ended {
	status: string;
	/** Why it failed, or what n8n answered the sender when nothing was started. */
	said: string;
	/** Of the last node. */
	items: JsonObject[];
}

/** What a brokerage has in use: each kind of node of the package, in published workflows. */
export class Workflows {
	private readonly session: () => N8nSession;

	constructor(session: () => N8nSession) {
		this.session = session;
	}

	async addCredential(baseUrl: string, accessToken: string): Promise<void> {
		await this.session().createCredential({ ...SERVICE, data: { baseUrl, accessToken } });
	}

	/** Places a check call for each event of a TMS. */
	async calling(parameters: JsonObject = {}): Promise<Published> {
		const path = randomUUID();
		const webhook = {
			...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			...{ webhookId: path, position: [0, 0], parameters: { path, httpMethod: 'POST' } },
		};
		const call = {
			...{ id: randomUUID(), name: 'Last', type: NODES.action, typeVersion: 1 },
			...{ position: [200, 0], credentials: { [SERVICE.type]: { id: null, name: SERVICE.name } } },
			parameters: {
				...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0, rules: {} },
				...{ toPhone: '={{ $json.body.phone }}', loadNumber: '={{ $json.body.load }}' },
				...parameters,
			},
		};
		const connections = { Webhook: { main: [[{ node: 'Last', type: 'main', index: 0 }]] } };
		return await this.publish(path, [webhook, call], connections);
	}

	/** Starts with each event of the service. */
	async receiving(): Promise<Published> {
		const webhookId = randomUUID();
		const trigger = {
			...{ id: randomUUID(), name: 'Last', type: NODES.trigger, typeVersion: 2 },
			...{ webhookId, position: [0, 0], parameters: { authentication: 'none' } },
		};
		return await this.publish(`${webhookId}/webhook`, [trigger], {});
	}

	/** Starts with each new call in the service's list. */
	async polling(): Promise<Published> {
		// n8n 2.41 takes no shorter time than a minute, but several of them (n8n-workflow: isSubMinuteCron).
		const seconds = [...Array(12).keys()].map((number) => 5 * number);
		const item = seconds.map((second) => ({
			...{ mode: 'custom', cronExpression: `${second} * * * * *` },
		}));
		const trigger = {
			...{ id: randomUUID(), name: 'Last', type: NODES.pollingTrigger, typeVersion: 1 },
			credentials: { [SERVICE.type]: { id: null, name: SERVICE.name } },
			...{ position: [0, 0], parameters: { event: 'newCall', pollTimes: { item } } },
		};
		return await this.publish('', [trigger], {});
	}

	private async publish(path: string, nodes: JsonObject[], connections: JsonObject) {
		const settings = { executionOrder: 'v1' };
		const workflow = { name: `Workflow ${randomUUID()}`, nodes, connections, settings };
		const id = textIn(await this.session().createWorkflow(workflow), 'id');
		await this.session().activate(id);
		const url = path === '' ? '' : `${this.session().rest.baseUrl}/webhook/${path}`;
		if (url === '')
			await waitUntil('the polls', async () => (await this.state(id)) === 'published');
		else await waitUntil(url, async () => await this.session().webhookIsRegistered(url));
		return { id, url };
	}

	/** How n8n's editor shows a published workflow: published, partial, failed. */
	async state(id: string): Promise<string> {
		const path = `/rest/workflows/${id}/publication-status`;
		return textIn(await this.session().rest.send('read its state', 'GET', path), 'status');
	}

	/** Sends something to a workflow; resolves to its new execution when that has ended, or waits. */
	async send({ id, url }: Published, body: object): Promise<Ended> {
		const before = (await this.session().executions.newest(id)).length;
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		const said = await response.text();
		if (!response.ok) return { status: String(response.status), said, items: [] };
		await waitUntil('its execution', async () => (await this.ended(id)).length > before);
		const [newest] = await this.ended(id);
		if (newest === undefined) throw new Error('no execution');
		return newest;
	}

	/** The executions of a workflow that have ended or wait, the newest first. */
	async ended(id: string): Promise<Ended[]> {
		const { executions } = this.session();
		const all = (await executions.newest(id)).filter(
			(each) => !['new', 'running'].includes(textIn(each, 'status')),
		);
		return await Promise.all(
			all.map(async (each) => {
				const { resultData } = await executions.data(textIn(each, 'id'));
				const runs = recordsIn(Object(Object(resultData)['runData']), 'Last');
				const items = [Object(runs.at(-1)?.['data'])['main']].flat(3);
				return {
					status: textIn(each, 'status'),
					said: await executions.error(textIn(each, 'id')),
					items: items.map((item): JsonObject => Object(Object(item)['json'])),
				};
			}),
		);
	}
}
