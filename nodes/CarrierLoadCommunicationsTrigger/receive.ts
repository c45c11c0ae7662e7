import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isWanted, itemOf } from './deliver';
import { Delivery, identityOf } from './duplicates';
import { readSettings } from './form';
import { parseBody, readEvents, type ReceivedEvent, type Rejection } from './parse';
import { resumeExecutions, resumeUrls } from './resume';
import { verifyRequest } from './verify/verifyRequest';

/** How long a duplicate waits for n8n to store the first delivery: senders give up after 10 s. */
const CLAIM_TIMEOUT_MS = 8000;

/** One request: verify → parse → resume → drop duplicates → filter → start the workflow → respond. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const now = new Date();
	const verified = await verifyRequest(context, settings, now.getTime());
	if ('status' in verified) return reject(context, verified);
	const parsed = parseBody(verified.rawBody);
	if (!('body' in parsed)) return reject(context, parsed);
	const events = readEvents(parsed.body, now.toISOString(), settings.metadataField);
	if (!Array.isArray(events)) return reject(context, events);

	const waiting = resumeUrls(context, events);
	const matching = events.filter((event) => isWanted(event, settings.types));
	const delivery = new Delivery<ReceivedEvent>(
		`${context.getWorkflow().id}:${context.getNode().id}`,
		context.getWorkflowStaticData('node'),
		context.getResponseObject(),
	);
	// An event that resumes and starts nothing need not be remembered. Nothing is at the test URL, where
	// a sample is sent often.
	const isRemembering = settings.ignoreRepeats && context.getMode() !== 'manual';
	const toRemember = new Set(isRemembering ? [...waiting.keys(), ...matching] : []);
	const identities = events.map((event, index) => {
		const identity = identityOf(event, index, settings.eventIdField, verified.signedId);
		return [event, identity] as const;
	});
	const duplicates = await delivery.claim(
		new Map(identities.filter(([event]) => toRemember.has(event))),
		Date.now() + CLAIM_TIMEOUT_MS,
	);
	if (!duplicates) {
		const reason = 'An earlier delivery of this event is still being stored. Send it again later.';
		return reject(context, { status: 503, reason });
	}

	const results = await resumeExecutions(context, waiting, duplicates);
	const isOneOf = (event: ReceivedEvent, ...ones: string[]) =>
		ones.includes(results.get(event) ?? '');
	const resumed = events.filter((event) => isOneOf(event, 'taken', 'unknown'));
	const isForOther = (event: ReceivedEvent) =>
		settings.resume === 'resumeOnly' && isOneOf(event, 'taken', 'unknown', 'finished');
	const starting = matching.filter((event) => !duplicates.has(event) && !isForOther(event));
	const ignored = [...duplicates].filter((event) => !resumed.includes(event)).length;
	if (ignored > 0) {
		context.logger.info(`"${context.getNode().name}" ignored duplicates: ${ignored}`, {
			workflowId: context.getWorkflow().id,
		});
	}
	const body = {
		message: 'Received',
		...{ received: events.length, started: starting.length, resumed: resumed.length },
		...{ duplicates: ignored, filtered: events.length - matching.length },
	};
	const response = accept(body, () => delivery.store());
	// Without workflowData, n8n responds and starts nothing; an empty list would start the workflow.
	if (starting.length > 0) {
		response.workflowData = [starting.map((event) => ({ json: itemOf(event, settings.output) }))];
	}
	return response;
}

/**
 * A success with a body.
 * @param onStored called once n8n has stored the execution, if one starts: only then does n8n 2.41
 * read the body (webhook-helpers.js, `shouldDeferOnReceivedResponse`), and then saves the static data.
 * Written earlier, it is lost: starting an execution clears "changed" (observable-object.js, `create`).
 */
function accept(body: IDataObject, onStored: () => void): IWebhookResponseData {
	return {
		get webhookResponse() {
			onStored();
			return body;
		},
	};
}

/** A sender may drop its events for good, so the log says why, and the item of a test in the editor. */
export function reject(context: IWebhookFunctions, { status, reason }: Rejection) {
	const { name } = context.getNode();
	context.logger.warn(`"${name}" rejected a webhook request: ${reason}`, {
		workflowId: context.getWorkflow().id,
		nodeName: name,
	});
	const headers: Record<number, Record<string, string>> = {
		// The rest of the body is unread, so this connection can't be reused.
		413: { Connection: 'close' },
		503: { 'Retry-After': '10' },
	};
	// n8n sends a node's return value with a success status.
	const response = context.getResponseObject().status(status);
	response.set(headers[status] ?? {}).json({ message: status === 401 ? 'Not authorized' : reason });
	if (context.getMode() !== 'manual') return { noWebhookResponse: true };
	// The editor waits for a test event, and shows what came instead.
	const error = `The request was rejected with status ${status}`;
	const json = { error, message: `Rejected: ${reason}` };
	return { noWebhookResponse: true, workflowData: [[{ json }]] };
}
