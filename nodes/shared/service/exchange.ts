import { sleep } from 'n8n-workflow';
import type {
	BinaryHelperFunctions,
	IAllExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Connection } from './connection';
import { CREDENTIAL_TYPE, type ServiceRequest } from './contract';
import { credentialFor } from './credential';
import { readTransportError, ServiceFailure, type RequestName } from './failure';

/** A Node.js readable stream. Published nodes may not import its type. */
export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

/** A response whose headers have arrived, but not yet its body. */
type OpenAnswer = Omit<ServiceAnswer, 'text'> & { body: ByteStream };

/** Size limit of a decompressed response other than a recording, in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * The only place that sends a request to the service's endpoints: exactly once, regardless of the
 * response. One deadline covers everything, up to the last byte of the response.
 *
 * An error status is returned, not thrown: when a 401 is thrown, n8n-core sends the request again
 * (n8n-core 2.41, httpRequestWithAuthentication), and a call would ring twice.
 * @throws ServiceFailure of any kind except `status`
 */
export async function exchange(connection: Connection, request: ServiceRequest) {
	const { method, path, query, body: sent } = request;
	const options: IHttpRequestOptions = {
		method,
		url: `${connection.baseUrl}${path}`,
		headers: { Accept: 'application/json', ...(sent && { 'Content-Type': 'application/json' }) },
		...(query && { qs: query }),
		// As text, so that n8n and axios can't drop or change any of it.
		...(sent && { body: JSON.stringify(sent) }),
	};
	const send = async () => await sendWithToken(connection, options);
	return await withAnswer(request, connection, send, async ({ status, headers, body }) => {
		const { data, complete } = await readStream(body, MAX_ANSWER_BYTES);
		if (complete) return { status, headers, text: new TextDecoder().decode(data) };
		const what = `The service's response is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB`;
		throw new ServiceFailure({ kind: 'unreadable', what, advice: 'Choose a shorter time range' });
	});
}

/** Sends a request with the access token, to the service's own origin only. */
export async function sendWithToken(
	connection: Connection,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const { context, skipCertificateCheck: skipSslCertificateValidation } = connection;
	const method = options.method === 'POST' ? 'POST' : 'GET';
	const credentialsDecrypted = await credentialFor(connection, method);
	const sent = { ...streamed(connection), skipSslCertificateValidation, ...options };
	const { httpRequestWithAuthentication: send } = context.helpers;
	return await send.call(context, CREDENTIAL_TYPE, sent, { credentialsDecrypted });
}

/** A response is read as a stream, because n8n-core 2.41 has no size limit for buffered ones. */
export function streamed({ timeoutMs }: Connection) {
	return {
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		sendCredentialsOnCrossOriginRedirect: false,
		disableFollowRedirect: true,
		timeout: timeoutMs,
	} as const;
}

/**
 * Sends a request and uses its response within a time limit. Then the response is closed, even one
 * that opens too late.
 * @param send sends the request with n8n's helper
 * @throws ServiceFailure
 */
export async function withAnswer<Result>(
	request: RequestName,
	limits: { baseUrl: string; timeoutMs: number },
	send: () => Promise<unknown>,
	use: (answer: OpenAnswer) => Promise<Result>,
): Promise<Result> {
	let body: ByteStream | undefined;
	let isOver = false;
	const began = Date.now();
	const close = () => {
		isOver = true;
		body?.destroy();
	};
	const task = async () => {
		const answer = openAnswer(await send());
		body = answer.body;
		if (isOver) body.destroy();
		return await use(answer);
	};
	try {
		return await withDeadline(limits.timeoutMs, task(), close);
	} catch (error) {
		// n8n's own time limit may have ended it sooner.
		const waitedMs = Math.min(limits.timeoutMs, Date.now() - began);
		throw readTransportError(error, request, { ...limits, timeoutMs: waitedMs });
	} finally {
		close();
	}
}

function openAnswer(response: unknown): OpenAnswer {
	const { statusCode, headers, body } = Object(response);
	if (Symbol.asyncIterator in Object(body)) {
		return { status: Number(statusCode), headers: Object(headers), body };
	}
	throw new ServiceFailure({ kind: 'unreadable', what: 'The response could not be read' });
}

/** Reads up to a number of bytes, buffering at most that and one chunk; then it isn't complete. */
export async function readStream(stream: ByteStream, maxBytes: number) {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes: Uint8Array = chunk;
			size += bytes.length;
			if (size > maxBytes) return { data: Buffer.concat(chunks), complete: false };
			chunks.push(bytes);
		}
		return { data: Buffer.concat(chunks), complete: true };
	} finally {
		stream.destroy();
	}
}

/**
 * The result of a task with a time limit. n8n's request helper (2.41) limits only idle time, and
 * only until the headers arrive, so it would never end a response that trickles in.
 * @param onTimeout releases what the task holds, such as an open stream
 */
export async function withDeadline<Result>(
	timeoutMs: number,
	task: Promise<Result>,
	onTimeout: () => void,
): Promise<Result> {
	const done = new AbortController();
	const timeout = async (): Promise<never> => {
		// Before n8n-workflow 2.41, `sleep` ignores the signal.
		await sleep(timeoutMs, done.signal);
		done.signal.throwIfAborted();
		onTimeout();
		throw Object.assign(new Error('The request took too long'), { code: 'ETIMEDOUT' });
	};
	try {
		return await Promise.race([task, timeout()]);
	} finally {
		done.abort();
	}
}

/** The signal that the user pressed Stop; polls and webhooks have none. */
export function cancelSignal(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** @throws ServiceFailure of kind `cancelled` when the user has pressed Stop; nothing was sent */
export function throwIfStopped(signal: AbortSignal | undefined): void {
	if (!signal?.aborted) return;
	// n8n-core 2.41 counts an execution as canceled, not failed, by this word.
	const what = 'The execution was canceled';
	throw new ServiceFailure({ kind: 'cancelled', what, nothingSent: true });
}

export interface ServiceAnswer {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

/** What time it was for the service (Unix milliseconds), if it says so. */
export function servedAt({ date }: Record<string, unknown>): number | undefined {
	return Date.parse(String(date)) || undefined;
}
