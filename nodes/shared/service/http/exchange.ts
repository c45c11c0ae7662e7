import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { ServiceFailure } from './failure';
import type { Redaction } from './redaction';
import { readTransportError } from './transportError';

export const CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** Where and how the service is reached, read from the credential and the node's options. */
export interface Connection {
	baseUrl: string;
	skipCertificateCheck: boolean;
	/** How long one request may take, in milliseconds. */
	timeoutMs: number;
	/** How long a request and its repetitions may take together, in milliseconds. */
	retryBudgetMs: number;
	redaction: Redaction;
}

export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
	/** Path below the base URL, each part already encoded. */
	path: string;
	query?: IDataObject | undefined;
	body?: IDataObject | undefined;
	/** Which load, carrier or lane it is about, for errors. */
	about?: string | undefined;
}

export interface ServiceAnswer {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

export type Exchange = { answer: ServiceAnswer } | { failure: ServiceFailure };

/**
 * The one place that sends a request to the service's endpoints: exactly once, whatever comes back.
 *
 * Every status is taken as an answer. n8n-core sends a request a second time when a 401 is thrown
 * (n8n-core 2.41, httpRequestWithAuthentication), which for a call would be a second ring.
 */
export async function exchange(
	context: IAllExecuteFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Exchange> {
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			requestOptions(connection, request),
		);
		return { answer: readResponse(response) };
	} catch (error) {
		return { failure: readTransportError(error, request, connection) };
	}
}

function requestOptions(connection: Connection, request: ServiceRequest): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${connection.baseUrl}${request.path}`,
		headers: { Accept: 'application/json' },
		// Decoding the bytes here costs half of what axios takes to make text of them.
		encoding: 'arraybuffer',
		timeout: connection.timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		skipSslCertificateValidation: connection.skipCertificateCheck,
		sendCredentialsOnCrossOriginRedirect: false,
		disableFollowRedirect: true,
	};
	if (request.query) options.qs = request.query;
	if (request.body) {
		// As text, so that n8n and axios cannot leave out or reshape what is sent.
		options.body = JSON.stringify(request.body);
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	return options;
}

function readResponse(response: unknown): ServiceAnswer {
	const { statusCode, headers, body } = Object(response);
	return { status: Number(statusCode), headers: Object(headers), text: readText(body) };
}

function readText(body: unknown): string {
	if (Buffer.isBuffer(body)) return new TextDecoder().decode(body);
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}
