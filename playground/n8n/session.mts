import { setTimeout as wait } from 'node:timers/promises';
import { EXIT_FAILED, UserError } from '../cli/terminal.mts';
import { N8nExecutions } from './executions.mts';
import {
	isRecord,
	type JsonObject,
	N8nApiError,
	type N8nRest,
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
	/** Names of tags, which are created if they are missing. */
	tags?: string[];
}

const POLL_MS = 200;
const LONGEST_UNPUBLISHING_MS = 300_000;
const TABLES_PER_PAGE = 100;
/** n8n 2.41 returns no more at a time. */
const ROWS_PER_PAGE = 250;

/** What a logged-in user can do, as far as the playground and the tests need it. */
export class N8nSession {
	readonly rest: N8nRest;
	readonly projectId: string;
	readonly executions: N8nExecutions;

	constructor(rest: N8nRest, projectId: string, executions = new N8nExecutions(rest)) {
		this.rest = rest;
		this.projectId = projectId;
		this.executions = executions;
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
		const tags: string[] = [];
		for (const tag of workflow.tags ?? []) tags.push(await this.tagId(tag));
		// Older versions have no default for `active`.
		const body = { active: false, ...workflow, nodes, tags };
		const created = await this.rest.send(action, 'POST', '/rest/workflows', body);
		if (!isRecord(created)) throw new N8nApiError(action, 200, 'the response contains no workflow');
		return created;
	}

	private async tagId(name: string): Promise<string> {
		const tags = recordsIn(await this.rest.send('list the tags', 'GET', '/rest/tags'));
		const create = async () =>
			await this.rest.send(`create the tag "${name}"`, 'POST', '/rest/tags', { name });
		return textIn(tags.find((tag) => tag['name'] === name) ?? (await create()), 'id');
	}

	protected async withCredentialIds(nodes: JsonObject[]): Promise<JsonObject[]> {
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

	/** n8n 2 deletes only what is archived. */
	async archiveWorkflow(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}/archive`;
		await this.rest.send(`archive the workflow ${workflowId}`, 'POST', path, {});
	}

	/** Deletes an archived workflow with its executions. */
	async deleteWorkflow(workflowId: string): Promise<void> {
		for (const deadline = Date.now() + LONGEST_UNPUBLISHING_MS; ; await wait(POLL_MS)) {
			try {
				return await this.deleteNow(workflowId);
			} catch (error) {
				// n8n 2.41: "Workflow is still being unpublished".
				const isTooEarly = error instanceof N8nApiError && error.status === 409;
				if (!isTooEarly || Date.now() > deadline) throw error;
			}
		}
	}

	protected async deleteNow(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		await this.rest.send(`delete the workflow ${workflowId}`, 'DELETE', path);
	}

	/** Whether a production webhook is registered. Starts nothing: only asks n8n for the URL's methods. */
	async webhookIsRegistered(webhookUrl: string, method = 'POST'): Promise<boolean> {
		const response = await fetch(webhookUrl, {
			method: 'OPTIONS',
			headers: { connection: 'close', origin: this.rest.baseUrl },
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

	async deleteDataTable(id: string): Promise<void> {
		const path = `/rest/projects/${this.projectId}/data-tables/${id}`;
		await this.rest.send('delete a data table', 'DELETE', path);
	}

	async addDataTableRows(name: string, rows: JsonObject[]): Promise<void> {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		const path = `/rest/projects/${this.projectId}/data-tables/${textIn(table ?? {}, 'id')}/insert`;
		await this.rest.send(`fill the data table "${name}"`, 'POST', path, {
			data: rows,
			returnType: 'count',
		});
	}

	/** Changes the rows of a data table that have this value in a column. */
	async updateDataTableRows(name: string, columnName: string, value: unknown, data: JsonObject) {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		const path = `/rest/projects/${this.projectId}/data-tables/${textIn(table ?? {}, 'id')}/rows`;
		const filters = [{ columnName, condition: 'eq', value }];
		await this.rest.send(`change the data table "${name}"`, 'PATCH', path, {
			filter: { type: 'and', filters },
			data,
		});
	}

	/** Rows of the data table with this name, newest first, with its columns plus id, createdAt and updatedAt. */
	async dataTableRows(name: string, take = 100): Promise<JsonObject[]> {
		const rows: JsonObject[] = [];
		for (;;) {
			const next = Math.min(take - rows.length, ROWS_PER_PAGE);
			const query = { take: next, skip: rows.length, sortBy: 'id:desc' };
			const page = recordsIn(await this.dataTablePage(name, query), 'data');
			rows.push(...page);
			if (page.length < next || rows.length >= take) return rows;
		}
	}

	/** Rows as n8n returns them: `data`, and `count` of all. Without such a table, nothing. */
	async dataTablePage(name: string, query: Record<string, string | number>): Promise<unknown> {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		if (table === undefined) return {};
		const path = `/rest/projects/${this.projectId}/data-tables/${textIn(table, 'id')}/rows`;
		const parameters = Object.entries(query).map(([key, value]) => [key, String(value)]);
		const search = new URLSearchParams(Object.fromEntries(parameters));
		return await this.rest.send(`read the data table "${name}"`, 'GET', `${path}?${search}`);
	}
}

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/**
 * Logs in as the owner. Creates the account first if n8n has none yet.
 * @throws N8nApiError with status 401 when n8n has another owner or password
 */
export async function logIn(rest: N8nRest, owner: Owner): Promise<N8nSession> {
	try {
		await rest.send('log in', 'POST', '/rest/login', {
			emailOrLdapLoginId: owner.email,
			password: owner.password,
		});
	} catch (error) {
		if (!(error instanceof N8nApiError) || error.status !== 401) throw error;
		await createOwner(rest, owner, error);
	}
	const project = await rest.send('find the personal project', 'GET', '/rest/projects/personal');
	return new N8nSession(rest, textIn(project, 'id'));
}

/** Only n8n's settings say whether it has an owner, and without its editor n8n doesn't serve them. */
async function createOwner(rest: N8nRest, owner: Owner, wrongLogin: N8nApiError): Promise<void> {
	try {
		await rest.send('create the owner account', 'POST', '/rest/owner/setup', owner);
	} catch (error) {
		// n8n 2.41: "Instance owner already setup".
		if (error instanceof N8nApiError && /already/.test(error.message)) throw wrongLogin;
		throw error;
	}
}

/** n8n 2.41: a webhook's URL is its node's webhookId plus the path, unless the two are the same. */
export function productionWebhookUrl(session: N8nSession, workflow: JsonObject): string {
	const node = recordsIn(workflow, 'nodes').find((one) => textIn(one, 'webhookId') !== '');
	const parameters = isRecord(node) ? node['parameters'] : undefined;
	const path =
		textIn(node, 'type') === 'n8n-nodes-base.webhook'
			? textIn(parameters, 'path')
			: `${textIn(node, 'webhookId')}/webhook`;
	return `${session.rest.baseUrl}/webhook/${path}`;
}

/**
 * Waits until a workflow's webhook is registered.
 * @throws UserError when the workflow is not published, or the webhook is not registered in time
 */
export async function waitUntilRegistered(session: N8nSession, workflow: JsonObject, url: string) {
	assertPublished(session, workflow);
	for (const deadline = Date.now() + 120_000; Date.now() < deadline; await wait(POLL_MS)) {
		if (await session.webhookIsRegistered(url)) return;
	}
	throw new UserError(
		`The workflow "${textIn(workflow, 'name')}" does not respond at ${url}. See ${editorUrl(session, workflow)}`,
		EXIT_FAILED,
	);
}

/** @throws UserError when the workflow is not published */
export function assertPublished(session: N8nSession, workflow: JsonObject): void {
	if (workflow['active'] === true) return;
	throw new UserError(
		`The workflow "${textIn(workflow, 'name')}" is not published. Publish it at ${editorUrl(session, workflow)}`,
		EXIT_FAILED,
	);
}

function editorUrl(session: N8nSession, workflow: JsonObject): string {
	return `${session.rest.baseUrl}/workflow/${textIn(workflow, 'id')}`;
}
