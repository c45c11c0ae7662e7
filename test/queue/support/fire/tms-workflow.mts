import { waitUntil } from '../../../support/wait-until.mts';
import type { Cluster } from '../cluster.mts';
import { runSql } from '../../../support/databases.mts';

export interface Execution {
	id: string;
	status: string;
	/** Undefined if n8n has lost its data. */
	load: string | undefined;
}

/** A published workflow that places a check call for each event of a TMS, and nothing else. */
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
		const { id, url } = await cluster.workflows.checkCall({ skipIfCalledWithin: 240 });
		return new TmsWorkflow(cluster, id, new URL(url).pathname);
	}

	/** Its URL at each webhook process. */
	urls(): string[] {
		return this.cluster.webhookProcesses.map(({ baseUrl }) => `${baseUrl}${this.path}`);
	}

	/** All its executions, the oldest first. */
	async executions(): Promise<Execution[]> {
		const rows = await runSql(
			this.cluster.servers.postgres.port,
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
