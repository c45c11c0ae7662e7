import { setTimeout as wait } from 'node:timers/promises';
import { isRecord, type JsonObject, recordsIn, textIn } from './rest.mts';
import type { N8nSession } from './session.mts';
import { FAILED, Problem } from '../process/problem.mts';

const POLL_MS = 200;

/** n8n 2.41: a webhook answers at its node's webhookId, and its path after that unless they are one. */
export function productionAddress(session: N8nSession, workflow: JsonObject): string {
	const node = recordsIn(workflow, 'nodes').find((one) => textIn(one, 'webhookId') !== '');
	const parameters = isRecord(node) ? node['parameters'] : undefined;
	const path =
		textIn(node, 'type') === 'n8n-nodes-base.webhook'
			? textIn(parameters, 'path')
			: `${textIn(node, 'webhookId')}/webhook`;
	return `${session.rest.baseUrl}/webhook/${path}`;
}

/**
 * Waits until a workflow's webhook answers.
 * @throws Problem when the workflow is not active, or its webhook does not answer in time
 */
export async function untilRegistered(session: N8nSession, workflow: JsonObject, address: string) {
	const name = textIn(workflow, 'name');
	const editor = `${session.rest.baseUrl}/workflow/${textIn(workflow, 'id')}`;
	if (workflow['active'] !== true) {
		throw new Problem(`The workflow "${name}" is not active: publish it at ${editor}`, FAILED);
	}
	for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(POLL_MS)) {
		if (await session.webhookIsRegistered(address)) return;
	}
	throw new Problem(
		`The workflow "${name}" does not answer at ${address}: look at ${editor}`,
		FAILED,
	);
}
