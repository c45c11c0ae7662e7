import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Rejection } from './parse';

/**
 * A success with a body.
 *
 * @param onStored called once n8n has stored the execution, if one starts: only then does n8n 2.41
 * read the body (webhook-helpers.js, `shouldDeferOnReceivedResponse`), and then saves the static data.
 * Written earlier, it is lost: starting an execution clears "changed" (observable-object.js, `create`).
 */
export function accept(body: IDataObject, onStored: () => void): IWebhookResponseData {
	return {
		get webhookResponse() {
			onStored();
			return body;
		},
	};
}

/**
 * Rejects a request. A sender may drop its events for good, so the log says why, and the item of a
 * test in the editor.
 */
export function reject(
	context: IWebhookFunctions,
	{ status, reason, challenge }: Rejection,
): IWebhookResponseData {
	const { name } = context.getNode();
	context.logger.warn(`"${name}" rejected a webhook request: ${reason}`, {
		workflowId: context.getWorkflow().id,
		nodeName: name,
	});
	const headers: Record<number, Record<string, string>> = {
		401: challenge === undefined ? {} : { 'WWW-Authenticate': challenge },
		// The rest of the body is unread, so this connection can't be reused.
		413: { Connection: 'close' },
		503: { 'Retry-After': '10' },
	};
	const message = status === 401 ? 'Not authorized' : reason;
	const response = answer(context, status, { message }, headers[status]);
	if (context.getMode() !== 'manual') return response;
	// The editor waits for a test event, and shows what came instead.
	const error = `The request was rejected with status ${status}`;
	return { ...response, workflowData: [[{ json: { error, message: `Rejected: ${reason}` } }]] };
}

/** Responds to GET and HEAD if health checks are on. Only POST delivers events. */
export function answerOtherMethod(
	context: IWebhookFunctions,
	healthCheck: boolean,
): IWebhookResponseData {
	const isHealthCheck = ['GET', 'HEAD'].includes(context.getRequestObject().method);
	if (healthCheck && isHealthCheck) return answer(context, 200, { message: 'Ready for events' });
	const allow = healthCheck ? 'POST, GET, HEAD' : 'POST';
	return answer(context, 405, { message: 'Send events with POST' }, { Allow: allow });
}

/** Responds directly, because n8n sends a node's return value with a success status. */
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
