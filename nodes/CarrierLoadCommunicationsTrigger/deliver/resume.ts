import {
	sleep,
	type IDataObject,
	type IHttpRequestOptions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { isRecord, isScalar, ownField } from '../parse/fields';

/** Metadata key under which a call that is waited for carries the address of its execution. */
export const RESUME_KEY = 'n8nResumeUrl';

const TIMEOUT_MS = 10_000;

/** An event may be faster than the execution that is about to wait for it. */
const WAITS_MS = [250, 500, 1000, 2000];

/**
 * The address of the execution that waits for an event, if it is one of this very n8n: same origin,
 * and below the path of its own waiting webhooks. Undefined for every other address.
 *
 * @param ownAddress a waiting webhook's address of this n8n, with any last step
 */
export function resumeAddress(metadata: IDataObject, ownAddress: string): string | undefined {
	const wanted = ownField(metadata, RESUME_KEY);
	if (typeof wanted !== 'string' || !URL.canParse(wanted) || !URL.canParse(ownAddress))
		return undefined;
	const own = new URL(ownAddress);
	const url = new URL(wanted);
	const root = own.pathname.replace(/[^/]*$/, '');
	if (url.origin !== own.origin || url.username !== '' || url.password !== '') return undefined;
	if (root === '/' || !url.pathname.startsWith(root)) return undefined;
	const execution = url.pathname.slice(root.length);
	// No encoded characters: a proxy may read `..%2f` as a way out of the path.
	if (!/^[\w-]+(\/[\w-]+)*$/.test(execution)) return undefined;
	return `${url.origin}${url.pathname}${url.search}`;
}

/** Hands an event to the execution that waits for it. Undefined when it took it; else why not. */
export async function handOver(
	context: IWebhookFunctions,
	url: string,
	event: IDataObject,
): Promise<string | undefined> {
	for (const wait of [...WAITS_MS, 0]) {
		const answer = await post(context, url, event);
		const { statusCode } = answer;
		if (statusCode >= 200 && statusCode < 300) return undefined;
		if (wait === 0 || !isStillRunning(answer)) return answer.reason;
		await sleep(wait);
	}
	return undefined;
}

interface Answer {
	statusCode: number;
	body?: unknown;
	reason: string;
}

async function post(context: IWebhookFunctions, url: string, event: IDataObject): Promise<Answer> {
	const request: IHttpRequestOptions = {
		method: 'POST',
		url,
		body: event,
		json: true,
		timeout: TIMEOUT_MS,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		const { statusCode, body } = Object(await context.helpers.httpRequest(request));
		return { statusCode: Number(statusCode), body, reason: `n8n answered ${statusCode}` };
	} catch (error) {
		// Not the error's own message: it may show the address, which is a key to the execution.
		const code = ownField({ ...Object(error) }, 'code');
		const reason = 'n8n could not be reached at its own address';
		return { statusCode: 0, reason: isScalar(code) ? `${reason} (${code})` : reason };
	}
}

/** n8n 2.41, waiting-webhooks.js: 409 "is running already", as opposed to "has finished". */
function isStillRunning({ statusCode, body }: Answer): boolean {
	const message = isRecord(body) ? body.message : undefined;
	return statusCode === 409 && typeof message === 'string' && message.includes('running');
}
