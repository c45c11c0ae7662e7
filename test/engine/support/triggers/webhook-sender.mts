import { randomUUID } from 'node:crypto';
import type { Engine, WebhookRequest } from '../harness/index.mts';

/** Parameters of a trigger that accepts events from anyone, and returns them as received. */
export const open = { authentication: 'none', output: 'all' };

/** An event as the service sends it. */
export const event = { event: 'call.completed', callId: 7, metadata: { loadNumber: '48213' } };

/** Sends requests to a trigger without a history, unless `node.id` names one with a history. */
export const senderTo =
	(engine: () => Engine) =>
	async (parameters: object, request: WebhookRequest & Record<string, unknown> = {}) =>
		await engine().webhook(parameters as never, { node: { id: randomUUID() }, ...request });
