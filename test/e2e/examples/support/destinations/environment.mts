import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleTables, exampleWorkflows } from '../../../../../playground/demo/examples.mts';
import {
	type CredentialToCreate,
	type N8nSession,
	productionWebhookUrl,
} from '../../../../../playground/n8n/session.mts';
import {
	isRecord,
	type JsonObject,
	recordsIn,
	textIn,
} from '../../../../../playground/n8n/rest.mts';
import { ROOT } from '../../../../../playground/setup/paths.mts';
import { neededCredentials } from '../../../../support/needed-credentials.mts';
import { startPreparedN8n } from '../../../../support/prepared-n8n.mts';
import { waitUntil } from '../../../../support/wait-until.mts';
import { type ServiceProxy, startServiceProxy, type StandIn } from './proxy.mts';

const WEBHOOK_TOKEN = 'destinations-test-only';
const WEBHOOK_CREDENTIAL = 'Carrier Load Communications webhook';

/** A workflow to publish, and what to set in its nodes, by name. */
export interface Published {
	id: string;
	set: Record<string, JsonObject>;
}

/** A real n8n that reaches the stand-ins instead of the internet. */
export interface DestinationsEnvironment {
	session: N8nSession;
	proxy: ServiceProxy;
	/** Creates credentials and publishes workflows. */
	publish(credentials: CredentialToCreate[], workflows: Published[]): Promise<void>;
	/** Delivers an event, or a list, and waits until the execution it starts has ended. Returns its ID. */
	deliver(workflowId: string, event: object): Promise<string>;
	/** Sends an event, or a list, and doesn't wait for what it starts. */
	send(workflowId: string, event: object): Promise<void>;
	/**
	 * Runs "Try with a sample" in a workflow as it is imported, without an account. Returns what its last node shows before
	 * the filter that stops the sample: what would be sent.
	 */
	trySample(workflowId: string): Promise<JsonObject[]>;
	/** A data table's rows, oldest first. */
	rows(table: string): Promise<JsonObject[]>;
	/** Kills n8n (SIGKILL) and starts it again with the same data, at the same URL. */
	killAndRestart(): Promise<void>;
	close(): Promise<void>;
}

/** With the data tables of all examples. */
export async function startDestinations(standIns: StandIn[]): Promise<DestinationsEnvironment> {
	const userFolder = mkdtempSync(join(tmpdir(), 'destinations-e2e-'));
	const proxy = await startServiceProxy(standIns);
	const authority = join(userFolder, 'authority.pem');
	writeFileSync(authority, proxy.certificate);
	const env = {
		...{ HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1,localhost' },
		NODE_EXTRA_CA_CERTS: authority,
	};
	const options = { userFolder, codeNodes: true, env };
	let n8n = await startPreparedN8n({ ...options, packageDir: ROOT });
	const published: string[] = [];
	const close = async () => {
		await n8n.stop();
		await proxy.close();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		const session = await n8n.login();
		await setUp(session);
		return {
			...{ session, proxy, close },
			publish: async (credentials, workflows) => {
				await publish(session, credentials, workflows);
				published.push(...workflows.map(({ id }) => id));
			},
			deliver: async (id, event) => await deliver(session, id, event),
			send: async (id, event) => await send(session, id, event),
			trySample: async (id) => await trySample(session, id),
			rows: async (table) => (await session.dataTableRows(table)).reverse(),
			killAndRestart: async () => {
				process.kill(n8n.pid, 'SIGKILL');
				await n8n.exited;
				await n8n.stop();
				n8n = await startPreparedN8n({ ...options, port: Number(new URL(n8n.baseUrl).port) });
				await untilRegistered(session, published);
			},
		};
	} catch (error) {
		await close();
		throw error;
	}
}

async function setUp(session: N8nSession) {
	await session.createCredential({
		name: WEBHOOK_CREDENTIAL,
		type: 'carrierLoadCommunicationsWebhookApi',
		data: { method: 'bearer', token: WEBHOOK_TOKEN },
	});
	for (const table of exampleTables()) await session.createDataTable(table);
}

async function publish(
	session: N8nSession,
	credentials: CredentialToCreate[],
	workflows: Published[],
) {
	for (const credential of credentials) await session.createCredential(credential);
	for (const { id, set } of workflows) {
		const example = exampleCalled(id);
		const { name, description, connections, settings = {} } = example;
		const nodes = example.nodes.map((node) => withCredentials(changed(node, set), credentials));
		await session.createWorkflow({ id, name, description, nodes, connections, settings });
		await session.activate(id);
	}
	await untilRegistered(
		session,
		workflows.map(({ id }) => id),
	);
}

async function untilRegistered(session: N8nSession, workflows: string[]) {
	for (const id of workflows) {
		const url = await urlOf(session, id);
		await waitUntil(`the webhook of ${id}`, async () => await session.webhookIsRegistered(url));
	}
}

async function trySample(session: N8nSession, example: string): Promise<JsonObject[]> {
	const { name, description, nodes, connections, settings = {} } = exampleCalled(example);
	const id = `${example}Sample`;
	await session.createWorkflow({ id, name, description, nodes, connections, settings });
	const path = `/rest/workflows/${id}/run`;
	const trigger = { triggerToStartFrom: { name: 'Try with a sample' } };
	const begun = await session.rest.send(`run ${id}`, 'POST', path, trigger);
	const execution = textIn(begun, 'executionId');
	await waitUntil(`the end of ${id}`, async () => {
		return !['new', 'running'].includes(await session.executions.status(execution));
	});
	if ((await session.executions.status(execution)) !== 'success') {
		throw new Error(`${id} failed: ${await session.executions.error(execution)}`);
	}
	const shown = nodeBefore('Calls that ended', 'Sample outcome', connections);
	const { resultData } = await session.executions.data(execution);
	const runs = recordsIn(Object(resultData).runData, shown);
	return runs
		.flatMap((run) => recordsIn(Object(run['data']).main[0]))
		.map(({ json }) => Object(json));
}

/** The node before another one on the way from a third. */
function nodeBefore(end: string, from: string, connections: JsonObject): string {
	const next = String(Object(connections[from]).main[0][0].node);
	return next === end ? from : nodeBefore(end, next, connections);
}

function exampleCalled(id: string) {
	const example = exampleWorkflows().find((one) => one.id === id);
	if (example === undefined) throw new Error(`There is no example ${id}`);
	return example;
}

/** The trigger lets a second delivery through, too: the workflow itself must make one row. */
function changed(node: JsonObject, set: Record<string, JsonObject>): JsonObject {
	const parameters = isRecord(node['parameters']) ? node['parameters'] : {};
	const eventOptions = { ...Object(parameters['eventOptions']), ignoreRepeats: false };
	const isTrigger = node['name'] === 'Call outcome';
	const values = isTrigger ? { eventOptions } : set[textIn(node, 'name')];
	return { ...node, parameters: { ...parameters, ...values } };
}

/** As if someone had chosen them. */
function withCredentials(node: JsonObject, created: CredentialToCreate[]): JsonObject {
	const chosen = neededCredentials(node).map((type) => {
		const { name = WEBHOOK_CREDENTIAL } = created.find((one) => one.type === type) ?? {};
		return [type, { id: null, name }];
	});
	return chosen.length > 0 ? { ...node, credentials: Object.fromEntries(chosen) } : node;
}

async function deliver(session: N8nSession, id: string, event: object): Promise<string> {
	const before = new Set((await session.executions.newest(id)).map((one) => textIn(one, 'id')));
	await send(session, id, event);
	let execution = '';
	await waitUntil(`the end of an execution of ${id}`, async () => {
		const found = (await session.executions.newest(id)).find(
			(one) => !before.has(textIn(one, 'id')),
		);
		execution = textIn(found, 'id');
		return found !== undefined && !['new', 'running'].includes(textIn(found, 'status'));
	});
	const status = await session.executions.status(execution);
	if (status === 'success') return execution;
	throw new Error(`${id} ended with ${status}: ${await session.executions.error(execution)}`);
}

async function send(session: N8nSession, id: string, event: object): Promise<void> {
	const headers = {
		connection: 'close',
		'content-type': 'application/json',
		authorization: `Bearer ${WEBHOOK_TOKEN}`,
	};
	const request = { method: 'POST', headers, body: JSON.stringify(event) };
	const response = await fetch(await urlOf(session, id), request);
	const text = await response.text();
	if (response.status !== 200) throw new Error(`n8n answered ${response.status}: ${text}`);
}

async function urlOf(session: N8nSession, id: string): Promise<string> {
	return productionWebhookUrl(session, (await session.workflow(id)) ?? {});
}
