import { sleep, type IHttpRequestOptions, type IWebhookFunctions } from 'n8n-workflow';

import { ownField } from '../shared/events/event';
import { callStage } from '../shared/outcome/callOutcome';
import { readTransportError } from '../shared/service/failure';
import type { ReceivedEvent } from './parse';

/** The events that may end a wait, with the URLs that resume their executions, all of this n8n. */
export function resumeUrls(context: IWebhookFunctions, events: readonly ReceivedEvent[]) {
	const urls = new Map<ReceivedEvent, string>();
	let own: string | undefined;
	for (const event of events) {
		const { resumeUrl, source } = event;
		if (resumeUrl === undefined || !['ended', 'unknown'].includes(callStage(source))) continue;
		// The only way for a webhook to learn where its n8n expects waiting executions to be resumed. It
		// costs 20 ms (the expression engine), so it is not asked for other events.
		own ??= String(context.evaluateExpression('{{ $execution.resumeUrl }}'));
		const url = ownResumeUrl(resumeUrl, own);
		if (url !== undefined) urls.set(event, url);
	}
	return urls;
}

/** For all events of a request together: senders give up after 10 s. */
const DEADLINE_MS = 8000;
const PAUSE_MS = 500;
/** The last try must have enough time to respond. */
const LAST_TRY_MS = 1500;
const CONCURRENCY_LIMIT = 20;
const NOT_ACCEPTED = 'did not accept its event, which may start the workflow instead';

/** What an execution may answer, and what the log says. */
const ANSWERS = {
	taken: 'accepted its event',
	/** Counts as taken: an event must not both resume and start a workflow. */
	unknown: 'gave no clear response to its event',
	/** Another workflow's trigger resumed it, or its time was up. */
	finished: 'has finished, so its event resumes nothing',
	/** It is not waiting yet. */
	running: NOT_ACCEPTED,
	refused: NOT_ACCEPTED,
};

interface Answer {
	result: keyof typeof ANSWERS;
	reason: string;
}

/**
 * Passes events to the executions waiting for them, and returns what became of each. An execution that
 * missed its event continues with `timedOut`.
 * @param duplicates tried once only: the first delivery may have resumed their execution
 */
export async function resumeExecutions(
	context: IWebhookFunctions,
	urls: ReadonlyMap<ReceivedEvent, string>,
	duplicates: ReadonlySet<ReceivedEvent>,
): Promise<Map<ReceivedEvent, Answer['result']>> {
	const results = new Map<ReceivedEvent, Answer['result']>();
	const deadline = Date.now() + DEADLINE_MS;
	const queue = urls.entries();
	const work = async () => {
		for (const [event, url] of queue) {
			let answer = await post(context, url, event, deadline);
			// An event may arrive before its execution is waiting.
			while (answer.result === 'running' && !duplicates.has(event)) {
				if (Date.now() + PAUSE_MS > deadline - LAST_TRY_MS) break;
				await sleep(PAUSE_MS);
				answer = await post(context, url, event, deadline);
			}
			const { result, reason } = answer;
			results.set(event, result);
			if (result === 'taken') continue;
			const what = `"${context.getNode().name}": a waiting execution ${ANSWERS[result]}: ${reason}`;
			context.logger.warn(what, { workflowId: context.getWorkflow().id });
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY_LIMIT }, work));
	return results;
}

async function post(
	context: IWebhookFunctions,
	url: string,
	{ item }: ReceivedEvent,
	deadline: number,
): Promise<Answer> {
	const timeout = deadline - Date.now();
	if (timeout <= 0) return { result: 'refused', reason: 'too many events for waiting executions' };
	const request: IHttpRequestOptions = {
		...{ method: 'POST', url, body: { ...item }, json: true, timeout },
		...{ returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
	};
	try {
		return readAnswer(await context.helpers.httpRequest(request));
	} catch (error) {
		// Without the error's own message: it may contain the URL, which is a key to the execution.
		const to = { baseUrl: url, timeoutMs: timeout };
		const failure = readTransportError(error, { method: 'POST', path: '' }, to);
		const { kind, code } = failure.details;
		const reason =
			kind === 'configuration'
				? "n8n's SSRF protection does not allow its own URL"
				: `n8n could not be reached at its own URL (${code})`;
		return { result: failure.nothingHappened ? 'refused' : 'unknown', reason };
	}
}

function readAnswer(response: unknown): Answer {
	const status = Number(ownField(response, 'statusCode'));
	const reason = `n8n responded with ${status}`;
	if (status >= 200 && status < 300) return { result: 'taken', reason };
	// Only gateways return these, and they don't know whether the request was processed.
	if (status === 502 || status === 504) return { result: 'unknown', reason };
	// n8n 2.41, waiting-webhooks.js: 409 "is running already", as opposed to "has finished".
	const words = status === 409 ? String(ownField(ownField(response, 'body'), 'message')) : '';
	if (words.includes('has finished')) return { result: 'finished', reason };
	return { result: words.includes('running') ? 'running' : 'refused', reason };
}

/** The URL if it resumes an execution of this n8n. @param own any of this n8n's waiting webhooks */
export function ownResumeUrl(given: string, own: string): string | undefined {
	if (!URL.canParse(given) || !URL.canParse(own)) return undefined;
	const { origin, pathname, search, username, password } = new URL(given);
	const { origin: ownOrigin, pathname: ownPath } = new URL(own);
	const root = ownPath.slice(0, ownPath.lastIndexOf('/') + 1);
	if (origin !== ownOrigin || username !== '' || password !== '') return undefined;
	if (root === '/' || !pathname.startsWith(root)) return undefined;
	// Encoded characters are not accepted: a proxy may treat `..%2f` as leaving the path.
	const isExecution = /^[\w-]+(?:\/[\w-]+)*$/.test(pathname.slice(root.length));
	return isExecution ? `${origin}${pathname}${search}` : undefined;
}
