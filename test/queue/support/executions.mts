import { isRecord, type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { runSql } from '../../support/databases.mts';
import type { Processes } from './processes.mts';
import type { QueueServers } from './queue-servers.mts';

export interface Seen {
	id: string;
	status: string;
}

/** Reads n8n's executions. */
export class Executions {
	private readonly n8n: Processes;
	private readonly servers: () => QueueServers | undefined;

	/** @param servers in queue mode: the status comes from the database, because each question to n8n costs CPU time */
	constructor(n8n: Processes, servers: () => QueueServers | undefined) {
		this.n8n = n8n;
		this.servers = servers;
	}

	/** Of a workflow, the newest first, at most 100. */
	async of(workflowId: string): Promise<Seen[]> {
		const found = this.servers()
			? await this.stored(`"workflowId" = '${workflowId}'`)
			: await this.n8n.session.executions.newest(workflowId);
		return found.map(({ id, status }) => ({ id: String(id), status: String(status) }));
	}

	/** An execution's status in queue mode. */
	async status(executionId: string): Promise<string> {
		const [found] = await this.stored(`id = ${executionId}`);
		return textIn(found, 'status');
	}

	/** The last items of the node that calls, and how often it ran. */
	async calls(executionId: string): Promise<{ items: JsonObject[]; runs: number }> {
		const { resultData } = await this.n8n.session.executions.data(executionId);
		const runs = recordsIn(isRecord(resultData) ? resultData['runData'] : undefined, 'Call');
		const data = runs.at(-1)?.['data'];
		const items = [isRecord(data) ? data['main'] : []].flat(3).filter(isRecord);
		return {
			runs: runs.length,
			items: items.map(({ json }) => (isRecord(json) ? json : {})),
		};
	}

	/** "Retry" in n8n's list of executions; resolves when the new execution has ended or waits. */
	async retry(executionId: string): Promise<unknown> {
		const path = `/rest/executions/${executionId}/retry`;
		return await this.n8n.session.rest.send('retry', 'POST', path, { loadWorkflow: false });
	}

	/** How many entries a workflow has in n8n's table of processed data. */
	async notes(workflowId: string): Promise<number> {
		const rows = await this.select(
			`select value from processed_data where "workflowId" = '${workflowId}'`,
		);
		const values = rows.map(({ value }) => (typeof value === 'string' ? JSON.parse(value) : value));
		return values.flatMap((value) => (isRecord(value) ? [value['data']] : [])).flat().length;
	}

	private async stored(which: string): Promise<JsonObject[]> {
		const sql = `select id, status from execution_entity where ${which} and "deletedAt" is null`;
		return await this.select(`${sql} order by id desc limit 100`);
	}

	private async select(sql: string): Promise<JsonObject[]> {
		const servers = this.servers();
		if (servers === undefined) throw new Error('Only queue mode has this database');
		return await runSql(servers.postgres.port, sql);
	}
}
