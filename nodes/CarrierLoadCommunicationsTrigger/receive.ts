import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { matchesFilters, toOutputs } from './deliver';
import { Delivery, type Identity, identityOf } from './duplicates';
import { readSettings, type TriggerSettings } from './form';
import { parseBody, readEvents, type ReceivedEvent, type Rejection } from './parse';
import { accept, answerOtherMethod, reject } from './respond';
import { resumeExecutions, resumeUrls } from './resume';
import type { Verifier } from './verify/method';
import { verifyRequest } from './verify/verifyRequest';

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
	return await deliver(context, settings, events, verified.verifier);
}

/** How long a duplicate waits for n8n to store the first delivery: senders give up after 10 s. */
const CLAIM_TIMEOUT_MS = 8000;

const STILL_STORING: Rejection = {
	status: 503,
	reason: 'An earlier delivery of this event is still being stored. Send it again later.',
};

async function deliver(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	events: readonly ReceivedEvent[],
	verifier: Verifier | undefined,
): Promise<IWebhookResponseData> {
	const { filters, resume } = settings;
	const waiting = resumeUrls(context, resume === 'off' ? [] : events);
	const matching = events.filter((event) => matchesFilters(event, filters));
	const delivery = new Delivery<ReceivedEvent>(
		`${context.getWorkflow().id}:${context.getNode().id}`,
		context.getWorkflowStaticData('node'),
		context.getResponseObject(),
	);
	// An event that resumes and starts nothing need not be remembered.
	const toRemember = new Set([...waiting.keys(), ...matching]);
	const identities = identitiesOf(context, settings, events, verifier);
	const duplicates = await delivery.claim(
		new Map([...identities].filter(([event]) => toRemember.has(event))),
		Date.now() + CLAIM_TIMEOUT_MS,
	);
	if (!duplicates) return reject(context, STILL_STORING);

	const resumed = await resumeExecutions(context, waiting, duplicates);
	const isForOther = (event: ReceivedEvent) =>
		resume === 'resumeOnly' && (resumed.taken.has(event) || resumed.finished.has(event));
	const starting = matching.filter((event) => !duplicates.has(event) && !isForOther(event));
	const ignored = [...duplicates].filter((event) => !resumed.taken.has(event)).length;
	if (ignored > 0) logDuplicates(context, ignored);
	const body = {
		message: 'Received',
		...{ received: events.length, started: starting.length, resumed: resumed.taken.size },
		...{ duplicates: ignored, filtered: events.length - matching.length },
	};
	const response = accept(body, () => delivery.store());
	// Without workflowData, n8n responds and starts nothing; an empty list would start the workflow.
	if (starting.length > 0) response.workflowData = toOutputs(starting, filters, settings.output);
	return response;
}

/** Nothing is remembered at the test URL, where a sample is sent often. */
function identitiesOf(
	context: IWebhookFunctions,
	{ ignoreRepeats, eventIdField }: TriggerSettings,
	events: readonly ReceivedEvent[],
	verifier: Verifier | undefined,
): Map<ReceivedEvent, Identity> {
	if (!ignoreRepeats || context.getMode() === 'manual') return new Map();
	const { headers } = context.getRequestObject();
	return new Map(
		events.map((event, index) => [
			event,
			identityOf(event, index, eventIdField, headers, verifier),
		]),
	);
}

function logDuplicates(context: IWebhookFunctions, count: number): void {
	const what = count === 1 ? 'a duplicate delivery' : `${count} duplicate deliveries`;
	context.logger.info(`"${context.getNode().name}" ignored ${what}`, {
		workflowId: context.getWorkflow().id,
	});
}
