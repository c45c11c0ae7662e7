import {
	sleep,
	type IDataObject,
	type IHttpRequestOptions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { ownField } from '../../shared/events/eventParts';
import { isJsonObject } from '../../shared/service/http/json';
import { readTransportError } from '../../shared/service/http/transportError';
import type { CallEvent } from '../parse/callEvent';

/** For all events of a request together: senders give up after 10 s. */
const DEADLINE_MS = 8000;

/** An event may arrive before its execution is waiting, which must have enough time to respond. */
const LAST_TRY_MS = 6500;

const PAUSES_MS = [250, 500, 1000];

const CONCURRENCY_LIMIT = 20;

/**
 * Passes events to the executions waiting for them, and returns those that were taken. Without a clear
 * response, one counts as taken: it must not both resume and start a workflow, and an execution that
 * missed it continues with `timedOut`.
 *
 * @param urls see `resumeUrls`
 * @param duplicates tried once only: the first delivery may have resumed their execution
 */
export async function resumeExecutions<Event extends { item: CallEvent }>(
	context: IWebhookFunctions,
	urls: ReadonlyMap<Event, string>,
	duplicates: ReadonlySet<Event>,
): Promise<Set<Event>> {
	const taken = new Set<Event>();
	const start = Date.now();
	const queue = urls.entries();
	const work = async () => {
		for (const [event, url] of queue) {
			const lastTry = duplicates.has(event) ? start : start + LAST_TRY_MS;
			const send = async () => await post(context, url, { ...event.item }, start + DEADLINE_MS);
			if (await isTaken(context, send, lastTry)) taken.add(event);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY_LIMIT }, work));
	return taken;
}

async function isTaken(
	context: IWebhookFunctions,
	send: () => Promise<Answer>,
	lastTry: number,
): Promise<boolean> {
	for (let attempt = 0; ; attempt++) {
		const { result, reason } = await send();
		if (result === 'taken') return true;
		const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0;
		if (result === 'running' && Date.now() + pause <= lastTry) {
			await sleep(pause);
			continue;
		}
		const what =
			result === 'unknown'
				? 'gave no clear response to its event'
				: 'did not accept its event, which may start the workflow instead';
		const message = `"${context.getNode().name}": a waiting execution ${what}: ${reason}`;
		context.logger.warn(message, { workflowId: context.getWorkflow().id });
		return result === 'unknown';
	}
}

interface Answer {
	/** `running`: the execution is not waiting yet. */
	result: 'taken' | 'running' | 'refused' | 'unknown';
	reason: string;
}

async function post(
	context: IWebhookFunctions,
	url: string,
	event: IDataObject,
	deadline: number,
): Promise<Answer> {
	const timeout = deadline - Date.now();
	if (timeout <= 0) return { result: 'refused', reason: 'too many events for waiting executions' };
	const request: IHttpRequestOptions = {
		method: 'POST',
		url,
		body: event,
		json: true,
		timeout,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		return readAnswer(await context.helpers.httpRequest(request));
	} catch (error) {
		return readError(error, url, timeout);
	}
}

function readAnswer(response: unknown): Answer {
	const status = Number(ownField(response, 'statusCode'));
	const reason = `n8n answered ${status}`;
	if (status >= 200 && status < 300) return { result: 'taken', reason };
	// Only gateways return these, and they don't know whether the request was processed.
	if (status === 502 || status === 504) return { result: 'unknown', reason };
	// n8n 2.41, waiting-webhooks.js: 409 "is running already", as opposed to "has finished".
	const body = ownField(response, 'body');
	const message = isJsonObject(body) ? body.message : undefined;
	const isRunning = status === 409 && typeof message === 'string' && message.includes('running');
	return { result: isRunning ? 'running' : 'refused', reason };
}

/** Leaves out the error's own message: it may contain the URL, which is a key to the execution. */
function readError(error: unknown, baseUrl: string, timeoutMs: number): Answer {
	const failure = readTransportError(error, { method: 'POST', path: '' }, { baseUrl, timeoutMs });
	const { kind, code } = failure.details;
	if (kind === 'configuration') {
		return { result: 'refused', reason: "n8n's SSRF protection does not allow its own URL" };
	}
	const reason = `n8n could not be reached at its own URL${code === undefined ? '' : ` (${code})`}`;
	return { result: failure.nothingHappened ? 'refused' : 'unknown', reason };
}
