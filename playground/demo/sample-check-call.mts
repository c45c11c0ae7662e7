import { randomUUID } from 'node:crypto';
import type { Sandbox } from '../../sandbox/index.mts';
import { daytimeZone } from '../../sandbox/page/routes.mts';
import { isOnThisMachine, TMS_KEY } from '../setup/import-examples.mts';
import { CALLING_WORKFLOW, INBOX_WORKFLOW, OUTCOME_WORKFLOW } from './examples.mts';
import {
	assertPublished,
	type N8nSession,
	productionWebhookUrl,
	waitUntilRegistered,
} from '../n8n/session.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../n8n/rest.mts';
import { PACKAGE_NAME } from '../setup/paths.mts';
import { EXIT_FAILED, UserError } from '../cli/terminal.mts';

export { CALLING_WORKFLOW, INBOX_WORKFLOW, OUTCOME_WORKFLOW };
export const OUTCOME_TABLE = 'call_outcomes';

/** The load of the first sample event. Later ones count up: the same load is not called again soon. */
export const FIRST_LOAD = 48213;

/** What a TMS would send when a truck leaves a stop. The phone number is reserved for fiction. */
export const sampleEvent = (loadNumber: string) => ({
	eventId: randomUUID(),
	event: 'load.departed',
	loadNumber,
	location: 'Joliet, IL',
	nextStopIndex: 1,
	timeZone: daytimeZone(new Date()),
	driver: { name: 'Luis Ortega', phone: '+18155550142' },
});

export interface SampleResult {
	row: JsonObject;
	/** How many calls the sandbox received for the one event. */
	dialed: number;
	/** Where the editor shows the execution that placed the call. */
	executionUrl: string;
}

/** In the calling workflow. */
const CALL_NODE = 'Check call';

const POLL_MS = 200;

/** Where the sandbox delivers call outcomes: the production URL of the webhook trigger. */
export async function outcomeWebhookUrl(session: N8nSession): Promise<string> {
	return productionWebhookUrl(session, await exampleWorkflow(session, OUTCOME_WORKFLOW));
}

/** Where a TMS sends its events: the production URL of the inbox. */
export async function tmsWebhookUrl(session: N8nSession): Promise<string> {
	return productionWebhookUrl(session, await exampleWorkflow(session, INBOX_WORKFLOW));
}

/**
 * Posts one sample TMS event and waits until the outcome of its call is a row of the data table.
 * @param withinMs how long the row may take
 * @throws UserError that says where the chain broke
 */
export async function runSampleCheckCall(
	session: N8nSession,
	sandbox: Sandbox,
	withinMs: number,
): Promise<SampleResult> {
	const callWorkflow = await exampleWorkflow(session, CALLING_WORKFLOW);
	await assertCallsSandbox(session, callWorkflow, sandbox.baseUrl);
	assertPublished(session, callWorkflow);
	const inbox = await exampleWorkflow(session, INBOX_WORKFLOW);
	const url = productionWebhookUrl(session, inbox);
	await waitUntilRegistered(session, inbox, url);
	const outcomeWorkflow = await exampleWorkflow(session, OUTCOME_WORKFLOW);
	await waitUntilRegistered(
		session,
		outcomeWorkflow,
		productionWebhookUrl(session, outcomeWorkflow),
	);

	const lastRow = Number((await session.dataTableRows(OUTCOME_TABLE, 1))[0]?.['id'] ?? 0);
	const dialedBefore = sandbox.ledger.dialed().length;
	const startedAt = Date.now();
	const loadNumber = String(FIRST_LOAD + lastRow);
	await postEvent(url, loadNumber);
	const deadline = startedAt + withinMs;
	while (Date.now() < deadline) {
		const dialed = sandbox.ledger.dialed().slice(dialedBefore);
		const row = (await session.dataTableRows(OUTCOME_TABLE, 10)).find(
			(one) => Number(one['id']) > lastRow && one['loadNumber'] === loadNumber,
		);
		if (row !== undefined && dialed.length > 0) {
			const executionUrl = await callingExecution(session, callWorkflow, startedAt);
			return { row, dialed: dialed.length, executionUrl };
		}
		await assertNoFailure(session, [inbox, callWorkflow, outcomeWorkflow], startedAt);
		await pause();
	}
	const calls = sandbox.ledger.dialed().length - dialedBefore;
	throw new UserError(
		`No outcome for load ${loadNumber} arrived in "${OUTCOME_TABLE}" within ${withinMs / 1000} s (calls placed: ${calls}). See the executions at ${session.rest.baseUrl}.`,
		EXIT_FAILED,
	);
}

/** The workflow runs every 30 seconds, most often without an event: this is the run that called. */
async function callingExecution(session: N8nSession, workflow: JsonObject, since: number) {
	const list = `${session.rest.baseUrl}/workflow/${textIn(workflow, 'id')}/executions`;
	for (const execution of await session.executions.newest(textIn(workflow, 'id'))) {
		if (Date.parse(textIn(execution, 'startedAt')) < since) break;
		const id = textIn(execution, 'id');
		const { resultData } = await session.executions.data(id);
		const runData = isRecord(resultData) ? resultData['runData'] : undefined;
		if (isRecord(runData) && CALL_NODE in runData) return `${list}/${id}`;
	}
	return list;
}

async function exampleWorkflow(session: N8nSession, id: string): Promise<JsonObject> {
	const workflow = await session.workflow(id);
	if (workflow !== undefined) return workflow;
	throw new UserError(
		`The example workflow ${id} is missing in n8n. Run "npm start" again to import it.`,
		EXIT_FAILED,
	);
}

/** If the user pointed the workflow at the real service, the sample event must not be sent. */
async function assertCallsSandbox(session: N8nSession, workflow: JsonObject, sandboxUrl: string) {
	for (const node of recordsIn(workflow, 'nodes')) {
		if (!textIn(node, 'type').startsWith(`${PACKAGE_NAME}.`) || !isRecord(node['credentials']))
			continue;
		for (const credential of Object.values(node['credentials'])) {
			const url = textIn(await session.credentialData(textIn(credential, 'id')), 'baseUrl');
			if (url === sandboxUrl && isOnThisMachine(url)) continue;
			throw new UserError(
				`The workflow "${textIn(workflow, 'name')}" uses ${url || 'another service'} instead of the sandbox. The sample event was not sent, so no phone rang.`,
				EXIT_FAILED,
			);
		}
	}
}

async function postEvent(url: string, loadNumber: string): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			connection: 'close',
			'content-type': 'application/json',
			[TMS_KEY.name]: TMS_KEY.value,
		},
		body: JSON.stringify(sampleEvent(loadNumber)),
	});
	const answer = await response.text();
	if (response.ok) return;
	throw new UserError(
		`n8n rejected the TMS event at ${url} (status ${response.status}): ${answer.slice(0, 200)}`,
		EXIT_FAILED,
	);
}

async function assertNoFailure(session: N8nSession, workflows: JsonObject[], since: number) {
	for (const workflow of workflows) {
		const failed = (await session.executions.newest(textIn(workflow, 'id'))).find(
			(one) =>
				['error', 'crashed'].includes(textIn(one, 'status')) &&
				Date.parse(textIn(one, 'startedAt')) >= since,
		);
		if (failed === undefined) continue;
		const id = textIn(failed, 'id');
		throw new UserError(
			`The workflow "${textIn(workflow, 'name')}" failed (${await session.executions.error(id)}). See ${session.rest.baseUrl}/workflow/${textIn(workflow, 'id')}/executions/${id}`,
			EXIT_FAILED,
		);
	}
}

function pause(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
