import { N8nExecutions } from './executions.mts';
import {
	isRecord,
	type JsonObject,
	type N8nRest,
	N8nApiError,
	recordsIn,
	textIn,
} from './rest.mts';

export interface CredentialToCreate {
	name: string;
	/** The credential type: 'carrierLoadCommunicationsApi'. */
	type: string;
	data: JsonObject;
}

export interface TableToCreate {
	name: string;
	columns: { name: string; type: 'string' | 'number' | 'boolean' | 'date' }[];
	/** The rows it starts with. */
	rows?: JsonObject[];
}

/** A workflow as n8n exports it. With an `id` it can be found after it was renamed. */
export interface WorkflowToCreate {
	id?: string;
	name: string;
	/** n8n shows it in the workflow's settings and to AI agents that list workflows. */
	description?: string;
	nodes: JsonObject[];
	connections: JsonObject;
	settings?: JsonObject;
}

const TABLES_PER_PAGE = 100;

/** What a logged-in user can do, as far as the playground and the tests need it. */
export class N8nSession {
	readonly rest: N8nRest;
	readonly projectId: string;
	readonly executions: N8nExecutions;

	constructor(rest: N8nRest, projectId: string) {
		this.rest = rest;
		this.projectId = projectId;
		this.executions = new N8nExecutions(rest);
	}

	async workflows(): Promise<JsonObject[]> {
		return recordsIn(await this.rest.send('list the workflows', 'GET', '/rest/workflows'));
	}

	/** The workflow, or undefined if there is none with that ID. */
	async workflow(id: string): Promise<JsonObject | undefined> {
		const path = `/rest/workflows/${id}`;
		try {
			const found = await this.rest.send(`read the workflow ${id}`, 'GET', path);
			return isRecord(found) ? found : undefined;
		} catch (error) {
			if (error instanceof N8nApiError && error.status === 404) return undefined;
			throw error;
		}
	}

	/**
	 * Creates a workflow and returns it. A credential given as `{ id: null, name }` is looked up by name,
	 * as n8n 2 does (replaceInvalidCredentials), and n8n 1 doesn't.
	 */
	async createWorkflow(workflow: WorkflowToCreate): Promise<JsonObject> {
		const action = `create the workflow "${workflow.name}"`;
		const nodes = await this.withCredentialIds(workflow.nodes);
		// Older versions have no default for `active`.
		const body = { active: false, ...workflow, nodes };
		const created = await this.rest.send(action, 'POST', '/rest/workflows', body);
		if (!isRecord(created)) throw new N8nApiError(action, 200, 'the response contains no workflow');
		return created;
	}

	private async withCredentialIds(nodes: JsonObject[]): Promise<JsonObject[]> {
		const stored = await this.credentials();
		const idOf = (type: string, { name }: JsonObject) =>
			stored.find((one) => one['type'] === type && one['name'] === name)?.['id'] ?? null;
		return nodes.map((node) => {
			if (!isRecord(node['credentials'])) return node;
			const entries = Object.entries(node['credentials']).map(([type, one]) => [
				type,
				isRecord(one) && one['id'] === null ? { ...one, id: idOf(type, one) } : one,
			]);
			return { ...node, credentials: Object.fromEntries(entries) };
		});
	}

	/** Publishes a workflow. Its webhooks are registered a moment later: see webhookIsRegistered. */
	async activate(workflowId: string): Promise<void> {
		const workflow = await this.workflow(workflowId);
		await this.rest.send(
			`activate the workflow ${workflowId}`,
			'POST',
			`/rest/workflows/${workflowId}/activate`,
			{ versionId: textIn(workflow, 'versionId'), name: '', description: '' },
		);
	}

	async deactivate(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}/deactivate`;
		await this.rest.send(`deactivate the workflow ${workflowId}`, 'POST', path, {});
	}

	/** Whether a production webhook is registered. Starts nothing: only asks n8n for the URL's methods. */
	async webhookIsRegistered(webhookUrl: string, method = 'POST'): Promise<boolean> {
		const response = await fetch(webhookUrl, {
			method: 'OPTIONS',
			headers: { origin: this.rest.baseUrl },
		});
		await response.arrayBuffer();
		return (response.headers.get('access-control-allow-methods') ?? '').includes(method);
	}

	async credentials(): Promise<JsonObject[]> {
		return recordsIn(await this.rest.send('list the credentials', 'GET', '/rest/credentials'));
	}

	/** A credential's fields. Secret ones are blanked out. */
	async credentialData(id: string): Promise<JsonObject> {
		const path = `/rest/credentials/${id}?includeData=true`;
		const found = await this.rest.send(`read the credential ${id}`, 'GET', path);
		const data = isRecord(found) ? found['data'] : undefined;
		return isRecord(data) ? data : {};
	}

	async createCredential(credential: CredentialToCreate): Promise<JsonObject> {
		const action = `create the credential "${credential.name}"`;
		const created = await this.rest.send(action, 'POST', '/rest/credentials', credential);
		if (!isRecord(created))
			throw new N8nApiError(action, 200, 'the response contains no credential');
		return created;
	}

	async updateCredential(id: string, credential: CredentialToCreate): Promise<void> {
		const action = `update the credential "${credential.name}"`;
		await this.rest.send(action, 'PATCH', `/rest/credentials/${id}`, credential);
	}

	/** All data tables. n8n 2.41 returns ten at a time unless asked for more. */
	async dataTables(): Promise<JsonObject[]> {
		const path = `/rest/projects/${this.projectId}/data-tables`;
		const tables: JsonObject[] = [];
		for (;;) {
			const query = `?take=${TABLES_PER_PAGE}&skip=${tables.length}`;
			const page = recordsIn(
				await this.rest.send('list the data tables', 'GET', path + query),
				'data',
			);
			tables.push(...page);
			if (page.length < TABLES_PER_PAGE) return tables;
		}
	}

	async createDataTable({ name, columns, rows = [] }: TableToCreate): Promise<void> {
		const path = `/rest/projects/${this.projectId}/data-tables`;
		await this.rest.send(`create the data table "${name}"`, 'POST', path, { name, columns });
		if (rows.length > 0) await this.addDataTableRows(name, rows);
	}

	async addDataTableRows(name: string, rows: JsonObject[]): Promise<void> {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		const path = `/rest/projects/${this.projectId}/data-tables/${textIn(table ?? {}, 'id')}/insert`;
		await this.rest.send(`fill the data table "${name}"`, 'POST', path, {
			data: rows,
			returnType: 'count',
		});
	}

	/** Rows of the data table with this name, newest first, with its columns plus id, createdAt and updatedAt. */
	async dataTableRows(name: string, take = 100): Promise<JsonObject[]> {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		if (table === undefined) return [];
		const path = `/rest/projects/${this.projectId}/data-tables/${textIn(table, 'id')}/rows`;
		const query = `?take=${take}&sortBy=id:desc`;
		return recordsIn(
			await this.rest.send(`read the data table "${name}"`, 'GET', path + query),
			'data',
		);
	}
}
