import { setTimeout as wait } from 'node:timers/promises';
import { isRecord, type JsonObject, recordsIn, textIn } from './rest.mts';
import type { N8nSession } from './session.mts';
import { EXIT_FAILED, UserError } from '../process/user-error.mts';

const POLL_MS = 200;

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
	const name = textIn(workflow, 'name');
	const editor = `${session.rest.baseUrl}/workflow/${textIn(workflow, 'id')}`;
	if (workflow['active'] !== true) {
		throw new UserError(
			`The workflow "${name}" is not published. Publish it at ${editor}`,
			EXIT_FAILED,
		);
	}
	for (const deadline = Date.now() + 120_000; Date.now() < deadline; await wait(POLL_MS)) {
		if (await session.webhookIsRegistered(url)) return;
	}
	throw new UserError(
		`The workflow "${name}" does not respond at ${url}. See ${editor}`,
		EXIT_FAILED,
	);
}
