import { type Example, exampleWorkflows } from '../demo/examples.mts';
import { errorMessage, EXIT_FAILED, UserError } from '../cli/terminal.mts';
import { API_KEY_VARIABLE } from './choice.mts';
import { N8nExecutions } from './executions.mts';
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

	/** All entries of a list. */
	async all(action: string, path: string): Promise<JsonObject[]> {
		const entries: JsonObject[] = [];
		let cursor = '';
		do {
			const query = new URLSearchParams({ limit: String(PAGE), ...(cursor && { cursor }) });
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
export async function openGivenN8n(url: string, apiKey: string): Promise<N8nSession> {
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

function whyNot(url: string, error: unknown): string {
	const status = error instanceof N8nApiError ? error.status : undefined;
	if (status === undefined)
		return `No n8n responds at ${url} (${errorMessage(error)}). Start it, or correct the URL after --n8n.`;
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

	constructor(api: PublicApi) {
		super(api, '', new GivenExecutions(api));
		this.api = api;
	}

	override async workflows(): Promise<JsonObject[]> {
		return await this.api.all('list the workflows', '/workflows');
	}

	override async workflow(id: string): Promise<JsonObject | undefined> {
		const name = this.examples.find((example) => example.id === id)?.name;
		const found = (await this.workflows())
			.filter((one) => one['isArchived'] !== true)
			.find((one) => one['id'] === id || (name !== undefined && isNamed(one, name)));
		if (found === undefined) return undefined;
		return await this.api.one('read a workflow', 'GET', `/workflows/${textIn(found, 'id')}`);
	}

	override async createWorkflow(workflow: WorkflowToCreate): Promise<JsonObject> {
		const { name, connections, settings = {} } = workflow;
		const nodes = await this.withCredentialIds(workflow.nodes);
		const body = { name, nodes, connections, settings };
		return await this.api.one(`create the workflow "${name}"`, 'POST', '/workflows', body);
	}

	override async activate(workflowId: string): Promise<void> {
		const id = textIn(await this.workflow(workflowId), 'id');
		await this.api.one(`publish the workflow ${id}`, 'POST', `/workflows/${id}/activate`, {});
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
		await this.api.one(`create the data table "${name}"`, 'POST', '/data-tables', {
			...{ name, columns },
		});
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

	private async tablePath(name: string): Promise<string> {
		const table = (await this.dataTables()).find((one) => one['name'] === name);
		return `/data-tables/${textIn(table, 'id')}`;
	}
}

/** As imported: "3 · Call outcome → table", whatever its number was. */
function isNamed(workflow: JsonObject, name: string): boolean {
	return textIn(workflow, 'name').replace(/^\d+ · (Start here: )?/, '') === name;
}

class GivenExecutions extends N8nExecutions {
	override async newest(workflowId = ''): Promise<JsonObject[]> {
		const query = new URLSearchParams({ limit: String(PAGE), ...(workflowId && { workflowId }) });
		const path = `/api/v1/executions?${query}`;
		return recordsIn(await this.rest.answer('list the executions', 'GET', path), 'data');
	}

	override async data(id: string): Promise<JsonObject> {
		const path = `/api/v1/executions/${id}?includeData=true`;
		const execution = await this.rest.answer(`read execution ${id}`, 'GET', path);
		const data = isRecord(execution) ? execution['data'] : undefined;
		return isRecord(data) ? data : {};
	}
}
