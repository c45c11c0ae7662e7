import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

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
export interface OpenAnswer {
	status: number;
	headers: Record<string, unknown>;
	body: ByteStream;
}

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
	try {
		return await sendWithin(connection.timeoutMs, async () => {
			const data = await connection.credential();
			const credential = { id: '', name: '', type: CREDENTIAL_TYPE, data };
			return openAnswer(
				await context.helpers.httpRequestWithAuthentication.call(
					context,
					CREDENTIAL_TYPE,
					requestOptions(connection, request),
					{ credentialsDecrypted: credential },
				),
			);
		});
	} catch (error) {
		throw readTransportError(error, request, connection);
	}
}

async function sendWithin(
	timeoutMs: number,
	send: () => Promise<OpenAnswer>,
): Promise<ServiceAnswer> {
	let open: ByteStream | undefined;
	let late = false;
	const task = send().then(async ({ status, headers, body }) => {
		open = body;
		// The response arrived after the deadline, so nothing reads it.
		if (late) body.destroy();
		const { data, complete } = await readStream(body, MAX_ANSWER_BYTES);
		if (!complete) throw tooLarge();
		return { status, headers, text: new TextDecoder().decode(data) };
	});
	return await withDeadline(timeoutMs, task, () => {
		late = true;
		open?.destroy();
	});
}

/** @throws ServiceFailure if n8n's helper returned no stream */
export function openAnswer(response: unknown): OpenAnswer {
	const { statusCode, headers, body } = Object(response);
	if (isByteStream(body)) return { status: Number(statusCode), headers: Object(headers), body };
	throw new ServiceFailure({ kind: 'unreadable', what: 'The response could not be read' });
}

function requestOptions(connection: Connection, request: ServiceRequest): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${connection.baseUrl}${request.path}`,
		headers: { Accept: 'application/json' },
		// n8n-core 2.41 has no size limit for buffered responses, so the stream is read here.
		encoding: 'stream',
		timeout: connection.timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		skipSslCertificateValidation: connection.skipCertificateCheck,
		sendCredentialsOnCrossOriginRedirect: false,
		disableFollowRedirect: true,
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
