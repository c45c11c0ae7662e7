import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { credentialFor } from './credential';
import { MAX_ANSWER_BYTES } from './defaults';
import { ServiceFailure } from './failure';
import {
	CREDENTIAL_TYPE,
	type Connection,
	type ServiceAnswer,
	type ServiceRequest,
} from './request';
import { isByteStream, readStream, withDeadline, type ByteStream } from './stream';
import { readTransportError } from './transportError';

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
	const credentialsDecrypted = await credentialFor(connection);
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
		throw readTransportError(error, request, limits);
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
