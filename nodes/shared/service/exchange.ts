import {
	type IAllExecuteFunctions,
	type IHttpRequestOptions,
	sleep,
	type BinaryHelperFunctions,
} from 'n8n-workflow';

import { credentialFor } from './credential';
import { ServiceFailure, readTransportError } from './failure';
import {
	MAX_ANSWER_BYTES,
	CREDENTIAL_TYPE,
	type Connection,
	type ServiceAnswer,
	type ServiceRequest,
} from './request';

/** A response whose headers have arrived, but not yet its body. */
interface OpenAnswer {
	status: number;
	headers: Record<string, unknown>;
	body: ByteStream;
}

/** A response is read as a stream, because n8n-core 2.41 has no size limit for buffered ones. */
export const STREAMED = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	sendCredentialsOnCrossOriginRedirect: false,
	disableFollowRedirect: true,
} as const;

/**
 * The only place that sends a request to the service's endpoints: exactly once, whatever the
 * response. One deadline covers everything, up to the last byte of the response.
 *
 * An error status is returned, not thrown: when a 401 is thrown, n8n-core sends the request again
 * (n8n-core 2.41, httpRequestWithAuthentication), and a call would ring twice.
 *
 * @throws ServiceFailure of any kind except `status`
 */
export async function exchange(
	context: IAllExecuteFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<ServiceAnswer> {
	const options = requestOptions(connection, request);
	const send = async () => await sendWithToken(context, connection, options);
	return await withAnswer(request, connection, send, async ({ status, headers, body }) => {
		const { data, complete } = await readStream(body, MAX_ANSWER_BYTES);
		if (!complete) throw tooLarge();
		return { status, headers, text: new TextDecoder().decode(data) };
	});
}

/** Sends a request with the access token, to the service's own origin only. */
export async function sendWithToken(
	context: IAllExecuteFunctions,
	connection: Connection,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const credentialsDecrypted = await credentialFor(
		connection,
		options.method === 'POST' ? 'POST' : 'GET',
	);
	const { httpRequestWithAuthentication: send } = context.helpers;
	return await send.call(context, CREDENTIAL_TYPE, options, { credentialsDecrypted });
}

/**
 * Sends a request and uses its response within a time limit. Then the response is closed, even one
 * that opens too late.
 *
 * @param send sends the request with n8n's helper
 * @throws ServiceFailure
 */
export async function withAnswer<Result>(
	request: Pick<ServiceRequest, 'method' | 'path' | 'about'>,
	limits: Pick<Connection, 'baseUrl' | 'timeoutMs'>,
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

/** @throws ServiceFailure if n8n's helper returned no stream */
function openAnswer(response: unknown): OpenAnswer {
	const { statusCode, headers, body } = Object(response);
	if (isByteStream(body)) return { status: Number(statusCode), headers: Object(headers), body };
	throw new ServiceFailure({ kind: 'unreadable', what: 'The response could not be read' });
}

function requestOptions(connection: Connection, request: ServiceRequest): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${connection.baseUrl}${request.path}`,
		headers: { Accept: 'application/json' },
		...STREAMED,
		timeout: connection.timeoutMs,
		skipSslCertificateValidation: connection.skipCertificateCheck,
	};
	if (request.query) options.qs = request.query;
	if (request.body) {
		// As text, so that n8n and axios can't drop or change any of it.
		options.body = JSON.stringify(request.body);
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	return options;
}

function tooLarge(): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The service's response is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB`,
		advice: 'Choose a shorter time range',
	});
}

/** A Node.js readable stream. Published nodes may not import its type. */
export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

export interface StreamRead {
	data: Buffer;
	/** False if the stream exceeded the limit. */
	complete: boolean;
}

/** A task took longer than allowed. */
class DeadlineExceeded extends Error {
	readonly code = 'ETIMEDOUT';
}

/** Ends a time limit that is no longer needed. Without a reason, Node makes an error with a stack each time. */
const IN_TIME = new Error('The task ended in time');

/** Reads up to a number of bytes, buffering at most that and one chunk. */
export async function readStream(stream: ByteStream, maxBytes: number): Promise<StreamRead> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
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
 *
 * @param onTimeout releases what the task holds, such as an open stream
 * @throws DeadlineExceeded
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
		throw new DeadlineExceeded('The request took too long');
	};
	try {
		return await Promise.race([task, timeout()]);
	} finally {
		done.abort(IN_TIME);
	}
}

function isByteStream(value: unknown): value is ByteStream {
	return (
		typeof value === 'object' &&
		value !== null &&
		Symbol.asyncIterator in value &&
		'destroy' in value &&
		typeof value.destroy === 'function' &&
		'map' in value &&
		typeof value.map === 'function'
	);
}
