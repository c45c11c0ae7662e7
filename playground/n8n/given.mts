import { type Example, exampleWorkflows } from '../demo/examples.mts';
import { errorMessage, EXIT_FAILED, UserError } from '../cli/terminal.mts';
import { API_KEY_VARIABLE, N8N_VARIABLE } from './choice.mts';
import { N8nExecutions } from './executions.mts';
import type { RunningN8n } from './n8n.mts';
import { isRecord, type JsonObject, N8nApiError, N8nRest, recordsIn, textIn } from './rest.mts';
import {
	type CredentialToCreate,
	N8nSession,
	type TableToCreate,
	type WorkflowToCreate,
} from './session.mts';

const PAGE = 100;
const CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** n8n's public API, with an API key. */
class PublicApi extends N8nRest {
	readonly #apiKey: string;

	constructor(baseUrl: string, apiKey: string) {
		super(baseUrl);
		this.#apiKey = apiKey;
	}

	protected override headers(): Record<string, string> {
		return { 'X-N8N-API-KEY': this.#apiKey };
	}

	/** All entries of a list, or those that a filter lets through. */
	async all(action: string, path: string, filter: object = {}): Promise<JsonObject[]> {
		const entries: JsonObject[] = [];
		let cursor = '';
		do {
			const query = new URLSearchParams({
				...{ limit: String(PAGE), ...filter },
				...(cursor && { cursor }),
			});
			const page = await this.answer(action, 'GET', `/api/v1${path}?${query}`);
			entries.push(...recordsIn(page, 'data'));
			cursor = textIn(page, 'nextCursor');
		} while (cursor !== '');
		return entries;
	}

	async one(action: string, method: string, path: string, body?: unknown): Promise<JsonObject> {
		const answer = await this.answer(action, method, `/api/v1${path}`, body);
		return isRecord(answer) ? answer : {};
	}
}

/**
 * Opens an n8n that already runs, and which has this package.
 * @throws UserError when it doesn't respond, refuses the API key, or doesn't have the package
 */
export async function openGivenN8n(url: string, apiKey: string): Promise<GivenN8n> {
	const api = new PublicApi(url, apiKey);
	try {
		await api.one('list the workflows', 'GET', '/workflows?limit=1');
	} catch (error) {
		throw new UserError(whyNot(url, error), EXIT_FAILED);
	}
	try {
		await api.one('find this package', 'GET', `/credentials/schema/${CREDENTIAL_TYPE}`);
	} catch (error) {
		if (!(error instanceof N8nApiError) || error.status !== 404) throw error;
		throw new UserError(
			`The n8n at ${url} doesn't have this package. Install it there (docs/install.md), restart n8n, then run this again.`,
			EXIT_FAILED,
		);
	}
	return new GivenN8n(api);
}

/**
 * An n8n that already runs, for tests that would start one. `stop` removes what they have created, and n8n runs on.
 * @throws UserError as openGivenN8n does
 */
export async function asIfStarted(url: string, apiKey: string): Promise<RunningN8n> {
	const session = await openGivenN8n(url, apiKey);
	const ownOnly = (what: string) =>
		new UserError(`This test ${what}, so it needs one that it starts: unset ${N8N_VARIABLE}.`);
	return {
		baseUrl: url,
		get pid(): number {
			throw ownOnly('kills n8n');
		},
		get logFile(): string {
			throw ownOnly("reads n8n's log");
		},
		login: async () => session,
		exited: new Promise(() => undefined),
		isRunning: () => true,
		stop: async () => await session.removeCreated(),
	};
}

/**
 * Opens a given n8n for tests.
 * @throws UserError as openGivenN8n does, and when n8n has workflows or data tables: the tests' events could start
 *   those, which may place real calls
 */
export async function assertFitForTests(url: string, apiKey: string): Promise<void> {
	const session = await openGivenN8n(url, apiKey);
	const count = (await session.workflows()).length + (await session.dataTables()).length;
	if (count === 0) return;
	throw new UserError(
		`The n8n at ${url} has workflows or data tables, and tests must not start those: they could place real calls. Use an n8n with nothing in it but this package.`,
		EXIT_FAILED,
	);
}

function whyNot(url: string, error: unknown): string {
	const status = error instanceof N8nApiError ? error.status : undefined;
	if (status === undefined)
		return `No n8n responds at ${url} (${errorMessage(error)}). Start it, or correct the URL.`;
	if (status === 401)
		return `The n8n at ${url} does not accept the API key in ${API_KEY_VARIABLE}. Create a new one under Settings → n8n API.`;
	if (status === 403)
		return `The API key in ${API_KEY_VARIABLE} may not do everything that is needed at ${url}. Create one with all scopes for workflows, credentials, data tables and executions.`;
	return `The n8n at ${url} has no public API, or it is turned off: ${errorMessage(error)}.`;
}

/** The same steps through the public API, which gives imported workflows new IDs: they are found by name. */
class GivenN8n extends N8nSession {
	private readonly api: PublicApi;
	private readonly examples: Example[] = exampleWorkflows();
	/** What this start stored in credentials. The API never returns it. */
	private readonly stored = new Map<string, JsonObject>();
	/** The IDs of what this start created: of workflows, by the IDs that they should have. */
	private readonly createdWorkflows = new Map<string, string>();
	private readonly createdTables: string[] = [];

	constructor(api: PublicApi) {
		super(api, '', new GivenExecutions(api));
		this.api = api;
	}

	override async workflows(): Promise<JsonObject[]> {
		return await this.api.all('list the workflows', '/workflows');
	}

	override async workflow(id: string): Promise<JsonObject | undefined> {
		const created = this.createdWorkflows.get(id) ?? id;
		const name = this.examples.find((example) => example.id === id)?.name;
		const found = (await this.workflows())
			.filter((one) => one['isArchived'] !== true)
			.find((one) => one['id'] === created || (name !== undefined && isNamed(one, name)));
		if (found === undefined) return undefined;
		return await this.api.one('read a workflow', 'GET', `/workflows/${textIn(found, 'id')}`);
	}

	override async createWorkflow(workflow: WorkflowToCreate): Promise<JsonObject> {
		const { name, connections, settings = {} } = workflow;
		const nodes = await this.withCredentialIds(workflow.nodes);
		const body = { name, nodes, connections, settings };
		const created = await this.api.one(`create the workflow "${name}"`, 'POST', '/workflows', body);
		const id = textIn(created, 'id');
		this.createdWorkflows.set(workflow.id ?? id, id);
		return created;
	}

	override async activate(workflowId: string): Promise<void> {
		const id = textIn(await this.workflow(workflowId), 'id');
		await this.api.one(`publish the workflow ${id}`, 'POST', `/workflows/${id}/activate`, {});
	}

	override async archiveWorkflow(workflowId: string): Promise<void> {
		const path = `/workflows/${this.createdWorkflows.get(workflowId) ?? workflowId}/archive`;
		await this.api.one(`archive the workflow ${workflowId}`, 'POST', path, {});
	}

	protected override async deleteNow(workflowId: string): Promise<void> {
		const path = `/workflows/${this.createdWorkflows.get(workflowId) ?? workflowId}`;
		await this.api.one(`delete the workflow ${workflowId}`, 'DELETE', path);
		this.createdWorkflows.delete(workflowId);
	}

	override async credentials(): Promise<JsonObject[]> {
		return await this.api.all('list the credentials', '/credentials');
	}

	override async credentialData(id: string): Promise<JsonObject> {
		return this.stored.get(id) ?? {};
	}

	override async createCredential(credential: CredentialToCreate): Promise<JsonObject> {
		const action = `create the credential "${credential.name}"`;
		const created = await this.api.one(action, 'POST', '/credentials', credential);
		this.stored.set(textIn(created, 'id'), credential.data);
		return created;
	}

	override async updateCredential(id: string, credential: CredentialToCreate): Promise<void> {
		const action = `update the credential "${credential.name}"`;
		await this.api.one(action, 'PATCH', `/credentials/${id}`, credential);
		this.stored.set(id, credential.data);
	}

	override async dataTables(): Promise<JsonObject[]> {
		return await this.api.all('list the data tables', '/data-tables');
	}

	override async createDataTable({ name, columns, rows = [] }: TableToCreate): Promise<void> {
		const created = await this.api.one(`create the data table "${name}"`, 'POST', '/data-tables', {
			...{ name, columns },
		});
		this.createdTables.push(textIn(created, 'id'));
		if (rows.length > 0) await this.addDataTableRows(name, rows);
	}

	override async addDataTableRows(name: string, rows: JsonObject[]): Promise<void> {
		const path = `${await this.tablePath(name)}/rows`;
		const body = { data: rows, returnType: 'count' };
		await this.api.one(`fill the data table "${name}"`, 'POST', path, body);
	}

	override async dataTableRows(name: string, take = 100): Promise<JsonObject[]> {
		const path = `${await this.tablePath(name)}/rows?limit=${take}&sortBy=id%3Adesc`;
		return recordsIn(await this.api.one(`read the data table "${name}"`, 'GET', path), 'data');
	}

	override async deleteDataTable(id: string): Promise<void> {
		await this.api.one('delete a data table', 'DELETE', `/data-tables/${id}`);
		this.createdTables.splice(this.createdTables.indexOf(id), 1);
	}

	/** Removes all that this start has created, and that is still there. */
	async removeCreated(): Promise<void> {
		for (const id of [...this.createdWorkflows.keys()]) await this.archiveWorkflow(id);
		for (const id of [...this.createdWorkflows.keys()]) await this.deleteWorkflow(id);
		for (const id of [...this.createdTables]) await this.deleteDataTable(id);
		for (const id of this.stored.keys()) {
			await this.api.one('delete a credential', 'DELETE', `/credentials/${id}`);
		}
		this.stored.clear();
	}

	private async tablePath(name: string): Promise<string> {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		return `/data-tables/${textIn(table, 'id')}`;
	}
}

/** As imported: "3 · Call outcome → table", regardless of its number. */
function isNamed(workflow: JsonObject, name: string): boolean {
	return textIn(workflow, 'name').replace(/^\d+ · (Start here: )?/, '') === name;
}

class GivenExecutions extends N8nExecutions {
	private readonly api: PublicApi;

	constructor(api: PublicApi) {
		super(api);
		this.api = api;
	}

	override async newest(workflowId = ''): Promise<JsonObject[]> {
		const query = new URLSearchParams({ limit: String(PAGE), ...(workflowId && { workflowId }) });
		const path = `/executions?${query}`;
		return recordsIn(await this.api.one('list the executions', 'GET', path), 'data');
	}

	/** All together: this API doesn't say how many there are. */
	override async page({ workflowId, status }: { workflowId?: string; status?: string }) {
		// Unless asked for, what runs is left out (n8n 2.41: excludeRunning). It is read first: it may end meanwhile.
		const byId = new Map<string, JsonObject>();
		for (const one of status ? [status] : ['running', '']) {
			const filter = { ...(workflowId && { workflowId }), ...(one && { status: one }) };
			const found = await this.api.all('list the executions', '/executions', filter);
			for (const execution of found) byId.set(textIn(execution, 'id'), execution);
		}
		const results = [...byId.values()].sort(
			(one, other) => Number(other['id']) - Number(one['id']),
		);
		return { results, count: results.length, nextCursor: '' };
	}

	protected override async read(id: string) {
		const path = `/executions/${id}?includeData=true`;
		const execution = await this.api.one(`read execution ${id}`, 'GET', path);
		const data = isRecord(execution['data']) ? execution['data'] : {};
		return { status: textIn(execution, 'status'), data: () => data };
	}
}
