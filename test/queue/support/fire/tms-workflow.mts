import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type JsonObject, recordsIn } from '../../../../playground/n8n/rest.mts';
import { EXAMPLES } from '../../../../playground/setup/paths.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { type Cluster, CREDENTIAL } from '../cluster.mts';
import { select } from '../../../support/databases.mts';

const ACTION = 'n8n-nodes-carrier-load-communications.carrierLoadCommunications';

export interface Execution {
	id: string;
	status: string;
	/** Undefined if n8n has lost its data. */
	load: string | undefined;
}

/** The example workflow for events of a TMS, published, with a longer Skip If Called Within. */
export class TmsWorkflow {
	private readonly cluster: Cluster;
	private readonly id: string;
	private readonly path: string;

	private constructor(cluster: Cluster, id: string, path: string) {
		this.cluster = cluster;
		this.id = id;
		this.path = path;
	}

	static async publish(cluster: Cluster): Promise<TmsWorkflow> {
		const file = readFileSync(join(EXAMPLES, 'tms-event-to-check-call.json'), 'utf8');
		const example: JsonObject = JSON.parse(file);
		const webhookId = randomUUID();
		const nodes = recordsIn(example, 'nodes').map((node) => adapted(node, webhookId));
		const { connections, settings } = example;
		const id = await cluster.publish({
			...{ nodes, connections: isRecord(connections) ? connections : {} },
			...(isRecord(settings) && { settings }),
		});
		const { url } = await cluster.registered(id, `/webhook/${webhookId}`);
		return new TmsWorkflow(cluster, id, new URL(url).pathname);
	}

	/** Its URL at each webhook process. */
	urls(): string[] {
		return this.cluster.webhookProcesses.map(({ baseUrl }) => `${baseUrl}${this.path}`);
	}

	/** All its executions, the oldest first. */
	async executions(): Promise<Execution[]> {
		const rows = await select(
			this.cluster.postgres.port,
			`select e.id, e.status, case when e.status <> 'success' then d.data end as data
			from execution_entity e left join execution_data d on d."executionId" = e.id
			where e."workflowId" = '${this.id}' order by e.id`,
		);
		return rows.map(({ id, status, data }) => ({
			...{ id: String(id), status: String(status) },
			load: /F\d+-\d{4}/.exec(String(data))?.[0],
		}));
	}

	/** Resolves when every execution has ended. */
	async whenQuiet(): Promise<void> {
		await waitUntil(
			'all executions to end',
			async () => (await this.executions()).every(({ status }) => !isOpen(status)),
			1_200_000,
		);
	}

	/** Why an execution failed, in n8n's words. */
	async reason({ id, status }: Execution): Promise<string> {
		return status === 'error' ? await this.cluster.session.executions.error(id) : status;
	}
}

function isOpen(status: string): boolean {
	return status === 'new' || status === 'running';
}

function adapted(node: JsonObject, webhookId: string): JsonObject {
	const parameters = isRecord(node['parameters']) ? node['parameters'] : {};
	if (node['type'] === 'n8n-nodes-base.webhook') {
		return { ...node, webhookId, parameters: { ...parameters, path: webhookId } };
	}
	if (node['type'] !== ACTION) return node;
	return {
		...node,
		parameters: { ...parameters, skipIfCalledWithin: 240 },
		credentials: { carrierLoadCommunicationsApi: { id: null, name: CREDENTIAL } },
	};
}
