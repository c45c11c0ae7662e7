import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	type Example,
	exampleTables,
	exampleWorkflows,
} from '../../../../playground/demo/examples.mts';
import { EXAMPLE_CREDENTIALS } from '../../../../playground/setup/example-credentials.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
} from '../../../../playground/setup/import-examples.mts';
import {
	productionWebhookUrl,
	waitUntilRegistered,
} from '../../../../playground/n8n/production-webhook.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import type { CredentialToCreate, N8nSession } from '../../../../playground/n8n/session.mts';
import { ROOT } from '../../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../../sandbox/index.mts';
import { startPreparedN8n } from '../../../support/prepared-n8n.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** A real n8n with all examples, and a sandbox whose calls end only when a test ends them. */
export interface ExamplesEnvironment {
	/** n8n's own URL. */
	baseUrl: string;
	session: N8nSession;
	sandbox: Sandbox;
	/** n8n's home folder. */
	userFolder: string;
	/**
	 * Starts a workflow as "Execute workflow" in the editor does, from its manual trigger or the trigger
	 * named. Returns the execution's ID.
	 */
	start(workflowId: string, trigger?: string): Promise<string>;
	/**
	 * Waits for an execution's end, and ends calls meanwhile by default. Returns its final status.
	 */
	waitForEnd(executionId: string, options?: { finishCalls: boolean }): Promise<string>;
	status(executionId: string): Promise<string>;
	/** `start` and `waitForEnd`. Fails unless the execution succeeded. */
	run(workflowId: string): Promise<void>;
	/** Publishes workflows, and waits until the webhook of the first is registered. Returns its URL. */
	publish(first: string, ...others: string[]): Promise<string>;
	/** A data table's rows, oldest first; of one load, if one is given. */
	rows(table: string, loadNumber?: string): Promise<JsonObject[]>;
	/** The calls that were really placed about a load. */
	dialed(loadNumber: string): ReturnType<Sandbox['ledger']['dialed']>;
	/** Items that a node returned in an execution, from all its runs and outputs. */
	outputItems(executionId: string, node: string): Promise<JsonObject[]>;
	/** Kills n8n (SIGKILL) and starts it again with the same data, at the same URL. */
	killAndRestart(): Promise<void>;
	close(): Promise<void>;
}

/** An example with different parameters in one node, for what a test can't wait for. */
export interface Variant {
	/** The example's id. */
	of: string;
	/** ID of a second copy. Without it, the example itself is imported with the change. */
	as?: string;
	node: string;
	/** As a function: asked when the example is imported, after n8n has started. */
	set: JsonObject | (() => JsonObject);
	/** More of the node: its Settings tab and its credentials. */
	settings?: JsonObject;
}

/** Sends an event to a webhook, as a TMS does. Returns the status. */
export async function postEvent(url: string, event: object, headers: Record<string, string>) {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(event),
	});
	await response.arrayBuffer();
	return response.status;
}

/** What else a test's n8n has. */
export interface ExamplesOptions {
	/** IDs of the examples to import, with their data tables. Default: all. */
	only?: string[];
	/** Whether it runs Code nodes, which need a second process. */
	codeNodes?: boolean;
	/** Besides the sandbox's. */
	credentials?: CredentialToCreate[];
	env?: Record<string, string>;
}

/** Starts everything and imports the examples, none of them active. */
export async function startExamplesEnvironment(
	variants: Variant[] = [],
	{ only, codeNodes = false, credentials = [], env = {} }: ExamplesOptions = {},
): Promise<ExamplesEnvironment> {
	const userFolder = mkdtempSync(join(tmpdir(), 'examples-e2e-'));
	const sandbox = await startSandbox({ calls: 1000, callDelayMs: Infinity });
	let n8n = await startPreparedN8n({ userFolder, packageDir: ROOT, codeNodes, env });
	const killAndRestart = async () => {
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.exited;
		await n8n.stop();
		const port = Number(new URL(n8n.baseUrl).port);
		n8n = await startPreparedN8n({ userFolder, port, codeNodes, env });
	};
	const close = async () => {
		await n8n.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		const session = await n8n.login();
		for (const credential of credentials) await session.createCredential(credential);
		await importExamples(session, sandbox, variants, only);
		const { baseUrl } = n8n;
		return { baseUrl, ...actionsFor(session, sandbox), userFolder, killAndRestart, close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function importExamples(
	session: N8nSession,
	sandbox: Sandbox,
	variants: Variant[],
	only?: string[],
) {
	const examples = exampleWorkflows().filter(({ id }) => only?.includes(id) ?? true);
	const text = JSON.stringify(examples);
	await session.createCredential({
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
	});
	for (const credential of EXAMPLE_CREDENTIALS) await session.createCredential(credential);
	for (const table of exampleTables()) {
		if (text.includes(`"${table.name}"`)) await session.createDataTable(table);
	}
	for (const example of examples) {
		const ofIt = variants.filter((variant) => variant.of === example.id);
		const copies = new Set([undefined, ...ofIt.map(({ as }) => as)]);
		for (const copy of copies) {
			const changes = ofIt.filter(({ as }) => as === copy);
			await session.createWorkflow(changes.reduce(changed, toCreate(example)));
		}
	}
}

function actionsFor(
	session: N8nSession,
	sandbox: Sandbox,
): Omit<ExamplesEnvironment, 'baseUrl' | 'userFolder' | 'killAndRestart' | 'close'> {
	const status = async (id: string) => await session.executions.status(id);
	const start = async (workflowId: string, trigger?: string) => {
		const what = `run the workflow ${workflowId}`;
		const name = trigger ?? startNode(await session.workflow(workflowId));
		const path = `/rest/workflows/${workflowId}/run`;
		const begun = await session.rest.send(what, 'POST', path, { triggerToStartFrom: { name } });
		return textIn(begun, 'executionId');
	};
	const waitForEnd: ExamplesEnvironment['waitForEnd'] = async (
		id,
		{ finishCalls } = { finishCalls: true },
	) => {
		await waitUntil(
			`the end of execution ${id}`,
			async () => {
				if (finishCalls) await sandbox.finishCalls();
				return !['new', 'running', 'waiting'].includes(await status(id));
			},
			900_000,
		);
		return await status(id);
	};
	return {
		...{ session, sandbox, start, waitForEnd, status },
		async run(workflowId) {
			const id = await start(workflowId);
			if ((await waitForEnd(id)) === 'success') return;
			throw new Error(`${workflowId} failed: ${await session.executions.error(id)}`);
		},
		async publish(...ids) {
			for (const id of ids) await session.activate(id);
			const workflow = (await session.workflow(ids[0])) ?? {};
			const url = productionWebhookUrl(session, workflow);
			await waitUntilRegistered(session, workflow, url);
			return url;
		},
		async rows(table, load) {
			const rows = (await session.dataTableRows(table)).reverse();
			return rows.filter(({ loadNumber }) => load === undefined || loadNumber === load);
		},
		dialed: (load) => sandbox.ledger.dialed().filter(({ loadNumber }) => loadNumber === load),
		async outputItems(executionId, node) {
			const { resultData } = await session.executions.data(executionId);
			const runData = isRecord(resultData) ? resultData['runData'] : undefined;
			return recordsIn(runData, node)
				.map((run) => (isRecord(run['data']) ? run['data']['main'] : []))
				.flat(2)
				.filter(isRecord);
		},
	};
}

function toCreate({ id, name, description, nodes, connections, settings = {} }: Example) {
	return { id, name, description, nodes, connections, settings };
}

function changed(
	workflow: ReturnType<typeof toCreate>,
	{ of, as, node: name, set, settings }: Variant,
) {
	if (!workflow.nodes.some((node) => node['name'] === name)) {
		throw new Error(`The example ${of} has no node "${name}"`);
	}
	const values = typeof set === 'function' ? set() : set;
	const nodes = workflow.nodes.map((node) => {
		const parameters = isRecord(node['parameters']) ? node['parameters'] : {};
		if (node['name'] !== name) return node;
		return { ...node, ...settings, parameters: { ...parameters, ...values } };
	});
	return { ...workflow, nodes, ...(as !== undefined && { id: as, name: as }) };
}

function startNode(workflow: JsonObject | undefined): string {
	const nodes = recordsIn(workflow, 'nodes');
	return textIn(
		nodes.find((node) => node['type'] === 'n8n-nodes-base.manualTrigger'),
		'name',
	);
}
