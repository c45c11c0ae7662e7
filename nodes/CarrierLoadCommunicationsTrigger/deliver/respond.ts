import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isJsonObject, parseJson } from '../../shared/service/http/json';
import type { Rejection } from '../parse/requestBody';
import type { Unauthorized } from '../verify/verifyRequest';

/** What became of the events of one request. */
export interface Tally {
	received: number;
	started: number;
	resumed: number;
	duplicates: number;
	filtered: number;
}

/**
 * Answers directly: n8n sends what a node returns with the status of a success, and a bare
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

/** Rejects a stranger without a reason; the log has it. */
export function refuse(
	context: IWebhookFunctions,
	{ reason, challenge }: Unauthorized,
): IWebhookResponseData {
	const node = context.getNode();
	context.logger.warn(`"${node.name}" rejected a webhook request: ${reason}`, {
		workflowId: context.getWorkflow().id,
		nodeName: node.name,
	});
	const headers = challenge === undefined ? {} : { 'WWW-Authenticate': challenge };
	return answer(context, 401, { message: 'Not authorized' }, headers);
}

/** Rejects a request whose events cannot be accepted. */
export function reject(
	context: IWebhookFunctions,
	{ status, message }: Rejection,
): IWebhookResponseData {
	const headers: Record<number, Record<string, string>> = {
		// The rest of the body is not read: this connection cannot be used again.
		413: { Connection: 'close' },
		503: { 'Retry-After': '10' },
	};
	return answer(context, status, { message }, headers[status]);
}

/** Answers GET and HEAD if health checks are on; only POST delivers events. */
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
 * A success with a body.
 *
 * @param onStored called once n8n has stored the execution that is to start, if any: n8n 2.41
 * (webhook-helpers.js, `shouldDeferOnReceivedResponse`) reads the body only then, and saves the
 * static data right after. Static data written before is not saved when an execution starts:
 * starting it clears the mark "changed" (n8n-workflow, observable-object.js, `create`).
 */
export function accept(body: IDataObject, onStored: () => void): IWebhookResponseData {
	return {
		get webhookResponse() {
			onStored();
			return body;
		},
	};
}

/** What the sender gets: the trigger's own small JSON, or the user's. */
export function acknowledgement(tally: Tally, custom: string): IDataObject {
	if (custom === '') return { message: 'Received', ...tally };
	const body = parseJson(custom);
	return isJsonObject(body) ? body : { message: custom };
}
