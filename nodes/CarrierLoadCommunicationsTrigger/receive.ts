import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Delivery } from './deliver/delivery';
import { identityOf, type IdentityKey } from './deliver/eventIdentity';
import { matchesFilters } from './deliver/filters';
import { toOutputs } from './deliver/outputs';
import { resumeUrls } from './deliver/ownResumeUrl';
import { accept, acknowledgement, answerOtherMethod, reject } from './deliver/respond';
import { resumeExecutions } from './deliver/resume';
import { readSettings, type TriggerSettings } from './fields/form';
import { readEvents, type ReceivedEvent } from './parse/readEvents';
import { parseBody, type Rejection } from './parse/requestBody';
import { safeHeaders } from './verify/headers';
import type { Verifier } from './verify/methods/method';
import { verifyRequest, WEBHOOK_CREDENTIAL } from './verify/verifyRequest';

/** How long a duplicate waits for n8n to store the first delivery: senders give up after 10 s. */
const CLAIM_TIMEOUT_MS = 8000;

const STILL_STORING: Rejection = {
	status: 503,
	reason: 'An earlier delivery of this event is still being stored. Send it again later.',
};

/** One request: verify → parse → resume → drop duplicates → filter → start the workflow → respond. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	if (context.getRequestObject().method !== 'POST') {
		return answerOtherMethod(context, settings.healthCheck);
	}
	const now = new Date();
	const verified = await verifyRequest(context, settings, now.getTime());
	if ('status' in verified) return reject(context, verified);
	const parsed = parseBody(verified.rawBody);
	if (!('body' in parsed)) return reject(context, parsed);
	const events = readEvents(parsed.body, now.toISOString(), settings.paths);
	if (!Array.isArray(events)) return reject(context, events);
	if (settings.includeHeaders) {
		const headers = safeHeaders(context.getHeaderData(), verified.verifier?.secretHeaders);
		for (const { item } of events) item.headers = headers;
	}
	return await deliver(context, settings, events, verified.verifier);
}

async function deliver(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	events: readonly ReceivedEvent[],
	verifier: Verifier | undefined,
): Promise<IWebhookResponseData> {
	const { filters, resume } = settings;
	const waiting = resumeUrls(context, resume === 'off' ? [] : events);
	const matching = new Set(events.filter((event) => matchesFilters(event, filters)));
	const identities = identitiesOf(context, settings, events, verifier);
	// An event that resumes and starts nothing need not be remembered.
	for (const event of events) {
		if (!waiting.has(event) && !matching.has(event)) identities.delete(event);
	}
	const delivery = new Delivery<ReceivedEvent>(
		`${context.getWorkflow().id}:${context.getNode().id}`,
		context.getWorkflowStaticData('node'),
		context.getResponseObject(),
	);
	const duplicates = await delivery.claim(identities, Date.now() + CLAIM_TIMEOUT_MS);
	if (!duplicates) return reject(context, STILL_STORING);

	const resumed = await resumeExecutions(context, waiting, duplicates);
	// A resumed event must not start an execution either if n8n fails to store that of the others.
	if (resume === 'resumeOnly') delivery.confirm([...resumed]);
	const starting = [...matching].filter(
		(event) => !duplicates.has(event) && (resume === 'resumeAndStart' || !resumed.has(event)),
	);

	const ignored = [...duplicates].filter((event) => !resumed.has(event)).length;
	if (ignored > 0) logDuplicates(context, ignored);
	const tally = {
		...{ received: events.length, started: starting.length, resumed: resumed.size },
		...{ duplicates: ignored, filtered: events.length - matching.size },
	};
	const response = accept(acknowledgement(tally, settings.responseBody), () => delivery.store());
	// Without workflowData, n8n responds and starts nothing; an empty list would start the workflow.
	if (starting.length > 0) response.workflowData = toOutputs(starting, filters, settings.output);
	return response;
}

/** What identifies each event; nothing is remembered at the test URL, where a sample is sent often. */
function identitiesOf(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	events: readonly ReceivedEvent[],
	verifier: Verifier | undefined,
): Map<ReceivedEvent, IdentityKey[]> {
	if (!settings.ignoreDuplicates || context.getMode() === 'manual') return new Map();
	const { headers } = context.getRequestObject();
	const sender = context.getNode().credentials?.[WEBHOOK_CREDENTIAL]?.id ?? undefined;
	const identity = { ...settings, sender };
	return new Map(
		events.map((event, index) => [
			event,
			identityOf(event.source, index, headers, identity, verifier, event.item.payload),
		]),
	);
}

function logDuplicates(context: IWebhookFunctions, count: number): void {
	const what = count === 1 ? 'a duplicate delivery' : `${count} duplicate deliveries`;
	context.logger.info(`"${context.getNode().name}" ignored ${what}`, {
		workflowId: context.getWorkflow().id,
	});
}
