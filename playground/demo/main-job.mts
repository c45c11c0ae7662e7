import type { Sandbox } from '../../sandbox/index.mts';
import { isOnThisMachine } from '../setup/import-examples.mts';
import { productionAddress, untilRegistered } from '../n8n/production-webhook.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../n8n/rest.mts';
import type { N8nSession } from '../n8n/session.mts';
import { PACKAGE_NAME } from '../setup/paths.mts';
import { FAILED, Problem } from '../process/problem.mts';

/** The two workflows of the main job, by the ids that their files in examples/ give them. */
export const CALLING_WORKFLOW = 'tmsEventToCheckCall';
export const OUTCOME_WORKFLOW = 'callOutcomeToTable';
export const OUTCOME_TABLE = 'call_outcomes';

/** What a TMS would send when a truck leaves a stop. The number is one of those kept free for fiction. */
export const SAMPLE_EVENT = {
	event: 'load.departed',
	loadNumber: '48213',
	location: 'Joliet, IL',
	nextStopIndex: 1,
	driver: { name: 'Luis Ortega', phone: '+18155550142' },
};

export interface JobResult {
	row: JsonObject;
	/** How many calls the sandbox dialed for the one event. */
	dialed: number;
}

const POLL_MS = 200;

/** Where the sandbox has to deliver what came of a call: the trigger's production address. */
export async function outcomeAddress(session: N8nSession): Promise<string> {
	return productionAddress(session, await workflowOf(session, OUTCOME_WORKFLOW));
}

/**
 * Posts one sample TMS event and waits for the outcome of its call to become a row.
 * @param withinMs how long the row may take
 * @throws Problem saying where the chain broke
 */
export async function runMainJob(
	session: N8nSession,
	sandbox: Sandbox,
	withinMs: number,
): Promise<JobResult> {
	const calling = await workflowOf(session, CALLING_WORKFLOW);
	await assertDialsTheSandbox(session, calling, sandbox.baseUrl);
	const address = productionAddress(session, calling);
	await untilRegistered(session, calling, address);
	const outcome = await workflowOf(session, OUTCOME_WORKFLOW);
	await untilRegistered(session, outcome, productionAddress(session, outcome));

	const lastRow = Number((await session.dataTableRows(OUTCOME_TABLE, 1))[0]?.['id'] ?? 0);
	const dialedBefore = sandbox.ledger.dialed().length;
	const startedAt = Date.now();
	await postEvent(address);
	const deadline = startedAt + withinMs;
	while (Date.now() < deadline) {
		const dialed = sandbox.ledger.dialed().slice(dialedBefore);
		const row = (await session.dataTableRows(OUTCOME_TABLE, 10)).find(
			(one) => Number(one['id']) > lastRow && one['loadNumber'] === SAMPLE_EVENT.loadNumber,
		);
		if (row !== undefined && dialed.length > 0) return { row, dialed: dialed.length };
		await assertNoFailure(session, [calling, outcome], startedAt);
		await pause();
	}
	const calls = sandbox.ledger.dialed().length - dialedBefore;
	throw new Problem(
		`No row about load ${SAMPLE_EVENT.loadNumber} arrived in "${OUTCOME_TABLE}" within ${withinMs / 1000} s (calls dialed: ${calls}): look at the executions in ${session.rest.baseUrl}`,
		FAILED,
	);
}

async function workflowOf(session: N8nSession, id: string): Promise<JsonObject> {
	const workflow = await session.workflow(id);
	if (workflow !== undefined) return workflow;
	throw new Problem(
		`The example workflow ${id} is missing in n8n: start again to import it`,
		FAILED,
	);
}

/** A user may have pointed the workflow at the real service: then the sample event must not be sent. */
async function assertDialsTheSandbox(
	session: N8nSession,
	workflow: JsonObject,
	sandboxUrl: string,
) {
	for (const node of recordsIn(workflow, 'nodes')) {
		if (!textIn(node, 'type').startsWith(`${PACKAGE_NAME}.`) || !isRecord(node['credentials']))
			continue;
		for (const credential of Object.values(node['credentials'])) {
			const address = textIn(await session.credentialData(textIn(credential, 'id')), 'baseUrl');
			if (address === sandboxUrl && isOnThisMachine(address)) continue;
			throw new Problem(
				`The workflow "${textIn(workflow, 'name')}" calls by ${address || 'another address'}, not by the sandbox: its sample event was not sent, so that nobody's phone rings`,
				FAILED,
			);
		}
	}
}

async function postEvent(address: string): Promise<void> {
	const response = await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(SAMPLE_EVENT),
	});
	const answer = await response.text();
	if (response.ok) return;
	throw new Problem(
		`n8n refused the TMS event at ${address} (status ${response.status}): ${answer.slice(0, 200)}`,
		FAILED,
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
		throw new Problem(
			`The workflow "${textIn(workflow, 'name')}" failed (${await session.executions.error(id)}): look at ${session.rest.baseUrl}/workflow/${textIn(workflow, 'id')}/executions/${id}`,
			FAILED,
		);
	}
}

function pause(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
