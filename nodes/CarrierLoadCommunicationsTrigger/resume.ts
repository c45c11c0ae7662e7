import { sleep, type IHttpRequestOptions, type IWebhookFunctions } from 'n8n-workflow';

import { ownField } from '../shared/events/event';
import { callStage } from '../shared/outcome/callOutcome';
import { readTransportError } from '../shared/service/failure';
import type { ReceivedEvent } from './parse';

/** The events that may end a wait, with the URLs that resume their executions, all of this n8n. */
export function resumeUrls(
	context: IWebhookFunctions,
	events: readonly ReceivedEvent[],
): Map<ReceivedEvent, string> {
	const candidates = events.filter(
		({ resumeUrl, source }) =>
			resumeUrl !== undefined && ['ended', 'unknown'].includes(callStage(source)),
	);
	if (candidates.length === 0) return new Map();
	// The only way for a webhook to learn where its n8n expects waiting executions to be resumed. It
	// costs 20 ms (the expression engine), so it is not asked for other events.
	const own = String(context.evaluateExpression('{{ $execution.resumeUrl }}'));
	const urls = candidates.map(
		(event) => [event, ownResumeUrl(event.resumeUrl ?? '', own)] as const,
	);
	return new Map(urls.flatMap(([event, url]) => (url === undefined ? [] : [[event, url]])));
}

/** For all events of a request together: senders give up after 10 s. */
const DEADLINE_MS = 8000;

const PAUSE_MS = 500;

/** The last try must have enough time to respond. */
const LAST_TRY_MS = 1500;

const CONCURRENCY_LIMIT = 20;

interface Resumed {
	taken: Set<ReceivedEvent>;
	/** Their execution has finished: another workflow's trigger resumed it, or its time was up. */
	finished: Set<ReceivedEvent>;
}

/**
 * Passes events to the executions waiting for them. Without a clear response, an event counts as taken:
 * it must not both resume and start a workflow, and an execution that missed it continues with
 * `timedOut`.
 *
 * @param duplicates tried once only: the first delivery may have resumed their execution
 */
export async function resumeExecutions(
	context: IWebhookFunctions,
	urls: ReadonlyMap<ReceivedEvent, string>,
	duplicates: ReadonlySet<ReceivedEvent>,
): Promise<Resumed> {
	const resumed: Resumed = { taken: new Set(), finished: new Set() };
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
			if (answer.result !== 'taken') logRefusal(context, answer);
			if (['taken', 'unknown'].includes(answer.result)) resumed.taken.add(event);
			if (answer.result === 'finished') resumed.finished.add(event);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY_LIMIT }, work));
	return resumed;
}

interface Answer {
	/** `running`: the execution is not waiting yet. */
	result: 'taken' | 'running' | 'finished' | 'refused' | 'unknown';
	reason: string;
}

const NOT_ACCEPTED = 'did not accept its event, which may start the workflow instead';

function logRefusal(context: IWebhookFunctions, { result, reason }: Answer): void {
	const what = {
		...{ taken: 'accepted its event', unknown: 'gave no clear response to its event' },
		finished: 'has finished, so its event resumes nothing',
		...{ running: NOT_ACCEPTED, refused: NOT_ACCEPTED },
	}[result];
	context.logger.warn(`"${context.getNode().name}": a waiting execution ${what}: ${reason}`, {
		workflowId: context.getWorkflow().id,
	});
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
		return readError(error, url, timeout);
	}
}

function readAnswer(response: unknown): Answer {
	const status = Number(ownField(response, 'statusCode'));
	const reason = `n8n responded with ${status}`;
	if (status >= 200 && status < 300) return { result: 'taken', reason };
	// Only gateways return these, and they don't know whether the request was processed.
	if (status === 502 || status === 504) return { result: 'unknown', reason };
	// n8n 2.41, waiting-webhooks.js: 409 "is running already", as opposed to "has finished".
	const message = ownField(ownField(response, 'body'), 'message');
	const words = status === 409 && typeof message === 'string' ? message : '';
	if (words.includes('has finished')) return { result: 'finished', reason };
	return { result: words.includes('running') ? 'running' : 'refused', reason };
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

/**
 * The URL if it resumes an execution of this n8n.
 *
 * @param own URL of a waiting webhook of this n8n, with any last segment
 */
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
