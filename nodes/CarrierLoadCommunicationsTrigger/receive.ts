import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallEvent } from './parse/callEvent';
import { isWanted } from './deliver/filters';
import { harmlessHeaders } from './verify/headers';
import { readEvents, type ReadEvent } from './parse/readEvents';
import { eventId, TakenEvents } from './deliver/duplicates';
import { parseBody, type Rejection } from './parse/requestBody';
import { handOver, resumeAddress } from './deliver/resume';
import { admit, type Admitted } from './verify/admission';
import { acknowledgement, answerOtherMethod, answerWith, refuse, reject } from './deliver/respond';
import { toOutputs } from './deliver/outputs';
import { readSettings, type TriggerSettings } from './fields/settings';

/** Events that one request may bring. */
const MAX_EVENTS = 10_000;

/** One request to the trigger: who sends it, what it brings, and what is to start of it. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	if (context.getRequestObject().method !== 'POST') {
		return answerOtherMethod(context, settings.healthCheck);
	}
	const now = new Date();
	const admitted = await admit(context, settings, now.getTime());
	if ('reason' in admitted) return refuse(context, admitted);
	if ('status' in admitted) return reject(context, admitted);
	const events = parseEvents(context, settings, admitted, now.toISOString());
	if (!Array.isArray(events)) return reject(context, events);
	return await dispatch(context, settings, events, now.getTime());
}

function parseEvents(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	{ rawBody, secretHeaders }: Admitted,
	receivedAt: string,
): ReadEvent[] | Rejection {
	const parsed = parseBody(rawBody);
	if (!('body' in parsed)) return parsed;
	const places = { list: settings.eventListField, metadata: settings.metadataField };
	const events = readEvents(parsed.body, receivedAt, places) ?? [];
	if (events.length > MAX_EVENTS) {
		return { status: 413, message: `More than ${MAX_EVENTS} events in one request` };
	}
	if (!settings.includeHeaders) return events;
	const headers = harmlessHeaders(context.getRequestObject().headers, secretHeaders);
	return events.map(({ item, source }) => ({ item: { ...item, headers }, source }));
}

async function dispatch(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	events: ReadEvent[],
	nowMs: number,
): Promise<IWebhookResponseData> {
	const wanted = events.filter(({ item }) => isWanted(item, settings.filters));
	const takenEvents = memoryOf(context, settings, nowMs);
	const fresh = await withoutRepeats(context, settings, wanted, takenEvents);
	const { starting, resumed } = await resumeWaiting(context, settings, fresh);
	const tally = {
		received: events.length,
		started: starting.length,
		resumed,
		repeated: wanted.length - fresh.length,
		filtered: events.length - wanted.length,
	};
	const body = acknowledgement(tally, settings.responseBody);
	const result = answerWith(body, () => takenEvents?.store());
	// Without workflowData n8n answers the sender and starts nothing; an empty list would start.
	if (starting.length > 0) result.workflowData = toOutputs(starting, settings);
	return result;
}

/** At the test address every event is taken: there one and the same sample is sent many times. */
function memoryOf(
	context: IWebhookFunctions,
	{ ignoreRepeats }: TriggerSettings,
	nowMs: number,
): TakenEvents | undefined {
	if (!ignoreRepeats || context.getMode() === 'manual') return undefined;
	const trigger = `${context.getWorkflow().id}:${context.getNode().id}`;
	return new TakenEvents(trigger, context.getWorkflowStaticData('node'), nowMs);
}

async function withoutRepeats(
	context: IWebhookFunctions,
	{ eventIdField, eventIdHeader }: TriggerSettings,
	events: ReadEvent[],
	takenEvents: TakenEvents | undefined,
): Promise<CallEvent[]> {
	const items = events.map(({ item }) => item);
	if (takenEvents === undefined) return items;
	const { headers } = context.getRequestObject();
	const places = { field: eventIdField, header: eventIdHeader };
	const ids = events.map(({ source }, index) => eventId(source, index, headers, places));
	const fresh = await takenEvents.take(ids, startOf(context));
	return items.filter((_, index) => fresh.delete(ids[index] ?? ''));
}

/** Settles once n8n has answered: below 400 it has stored what is to start. */
async function startOf(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	return await new Promise((resolve) => {
		response.once('finish', () => resolve(response.statusCode < 400));
		response.once('close', () => resolve(response.writableFinished && response.statusCode < 400));
	});
}

/**
 * Hands events to the executions that wait for them. An event that none takes starts the workflow
 * instead: it must not be lost.
 */
async function resumeWaiting(
	context: IWebhookFunctions,
	{ resume, ownWaitingAddress }: TriggerSettings,
	events: CallEvent[],
): Promise<{ starting: CallEvent[]; resumed: number }> {
	if (resume === 'off') return { starting: events, resumed: 0 };
	const starting: CallEvent[] = [];
	let resumed = 0;
	for (const event of events) {
		const url = resumeAddress(event.metadata, ownWaitingAddress);
		const problem = url === undefined ? '' : await handOver(context, url, { ...event });
		if (problem === undefined) resumed += 1;
		if (problem) {
			context.logger.warn(
				`"${context.getNode().name}" starts the workflow with an event because the execution that waits for it did not take it: ${problem}`,
				{ workflowId: context.getWorkflow().id },
			);
		}
		if (problem !== undefined || resume === 'resumeAndStart') starting.push(event);
	}
	return { starting, resumed };
}
