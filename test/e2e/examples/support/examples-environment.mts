import { setTimeout as wait } from 'node:timers/promises';
import {
	type N8nSession,
	productionWebhookUrl,
	waitUntilRegistered,
} from '../../../../playground/n8n/session.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import type { Sandbox } from '../../../../sandbox/index.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** Examples in a real n8n, and a sandbox whose calls end only when a test ends them. */
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
	/** A data table's rows, oldest first; of one load, if one is given. The newest 100, or as many as asked for. */
	rows(table: string, loadNumber?: string, take?: number): Promise<JsonObject[]>;
	/** The calls that were really placed about a load. */
	dialed(loadNumber: string): ReturnType<Sandbox['ledger']['dialed']>;
	/** Items that a node returned in an execution, from all its runs and outputs. */
	outputItems(executionId: string, node: string): Promise<JsonObject[]>;
	/** Kills n8n (SIGKILL) and starts it again with the same data, at the same URL. */
	killAndRestart(): Promise<void>;
	/** Deletes the workflows and the data tables with these examples, for others in the same n8n. */
	remove(): Promise<void>;
}

/** Sends an event to a webhook, as a TMS does. Returns the status. */
export async function postEvent(url: string, event: object, headers: Record<string, string>) {
	const response = await fetch(url, {
		method: 'POST',
		headers: { connection: 'close', 'content-type': 'application/json', ...headers },
		body: JSON.stringify(event),
	});
	await response.arrayBuffer();
	return response.status;
}

/** What a test does with examples that were imported with this sandbox. */
export function actionsFor(
	session: N8nSession,
	sandbox: Sandbox,
): Omit<ExamplesEnvironment, 'baseUrl' | 'userFolder' | 'killAndRestart' | 'remove'> {
	const status = async (id: string) => await patiently(() => session.executions.status(id));
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
		async rows(table, load, take) {
			const rows = (await patiently(() => session.dataTableRows(table, take))).reverse();
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

/** An n8n that evaluates thousands of expressions closes connections in the meantime. */
async function patiently<Answer>(ask: () => Promise<Answer>, tries = 10): Promise<Answer> {
	try {
		return await ask();
	} catch (error) {
		if (tries <= 1 || !String(error).includes('did not respond')) throw error;
		await wait(1000);
		return await patiently(ask, tries - 1);
	}
}

function startNode(workflow: JsonObject | undefined): string {
	const nodes = recordsIn(workflow, 'nodes');
	return textIn(
		nodes.find((node) => node['type'] === 'n8n-nodes-base.manualTrigger'),
		'name',
	);
}
