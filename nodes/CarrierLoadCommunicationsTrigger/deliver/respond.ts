import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord } from '../parse/fields';
import type { Rejection } from '../parse/requestBody';
import type { Refusal } from '../verify/admission';

/** What became of the events of one request. */
export interface Tally {
	received: number;
	started: number;
	resumed: number;
	repeated: number;
	filtered: number;
}

/**
 * Answers by hand: n8n sends what a node returns with the status of a success, and a bare
 * `noWebhookResponse` would leave the sender hanging.
 */
function answer(
	context: IWebhookFunctions,
	status: number,
	body: IDataObject,
	headers: Record<string, string> = {},
): IWebhookResponseData {
	const response = context.getResponseObject();
	response.status(status).set(headers);
	if (context.getRequestObject().method === 'HEAD') response.end();
	else response.json(body);
	return { noWebhookResponse: true };
}

/** Sends a stranger away without a word about why; the log says it once. */
export function refuse(
	context: IWebhookFunctions,
	{ reason, method }: Refusal,
): IWebhookResponseData {
	const node = context.getNode();
	context.logger.warn(`"${node.name}" refused a webhook request: ${reason}`, {
		workflowId: context.getWorkflow().id,
		nodeName: node.name,
	});
	const headers = method === 'basic' ? { 'WWW-Authenticate': 'Basic realm="Webhook"' } : {};
	return answer(context, 401, { message: 'Not authorized' }, headers);
}

/** Refuses a body that is no event. */
export function reject(
	context: IWebhookFunctions,
	{ status, message }: Rejection,
): IWebhookResponseData {
	// After 413 the rest of the body is not read: this connection cannot be used again.
	return answer(context, status, { message }, status === 413 ? { Connection: 'close' } : {});
}

/** GET and HEAD for those who only ask whether somebody is there; nothing else but POST is taken. */
export function answerOtherMethod(
	context: IWebhookFunctions,
	healthCheck: boolean,
): IWebhookResponseData {
	const isHealthCheck = ['GET', 'HEAD'].includes(context.getRequestObject().method);
	if (healthCheck && isHealthCheck) return answer(context, 200, { message: 'Ready for events' });
	const allow = healthCheck ? 'POST, GET, HEAD' : 'POST';
	return answer(context, 405, { message: 'Send events with POST' }, { Allow: allow });
}

/**
 * A success with a body, and something to do when n8n asks for the body.
 *
 * n8n 2.41 (webhook-helpers.js) asks for it when it has stored the execution, and saves the static
 * data right after. What was written there before is not saved if an execution starts: starting it
 * takes the mark "changed" off the static data (n8n-workflow, observable-object.js: `create`).
 */
export function answerWith(body: IDataObject, whenAsked: () => void): IWebhookResponseData {
	return {
		get webhookResponse() {
			whenAsked();
			return body;
		},
	};
}

/** What the sender of events is told: the trigger's own small JSON, or what the user wants. */
export function acknowledgement(tally: Tally, wanted: string): IDataObject {
	const own = { message: 'Received', ...tally };
	if (wanted === '') return own;
	try {
		const body: unknown = JSON.parse(wanted);
		return isRecord(body) ? body : { message: wanted };
	} catch {
		return { message: wanted };
	}
}
