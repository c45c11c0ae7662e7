import type { IHttpRequestOptions } from 'n8n-workflow';

import { throwIfStopped } from '../http/cancellation';
import { CREDENTIAL_TYPE } from '../http/exchange';
import { ServiceFailure } from '../http/failure';
import { readLink, redirectTarget, unusable } from './recordingLink';
import { fileNameOf, mediaTypeOf } from './recordingName';
import type { Requests } from '../http/requests';
import { readMayRepeat, withRetries } from '../http/retry';
import { statusFailure } from '../http/statusFailure';
import { isByteStream, readStream, type ByteStream } from '../http/stream';
import { readTransportError } from '../http/transportError';

export interface Recording {
	data: Buffer;
	contentType: string;
	fileName: string;
}

interface Opened {
	status: number;
	headers: Record<string, unknown>;
	body: ByteStream;
}

const MAX_REDIRECTS = 5;
const LONGEST_ERROR_BODY = 100_000;

/**
 * Fetches a recording. The access token goes to the service's own origin only: redirects are
 * followed by hand, and once one led elsewhere no later request carries it. n8n-core 2.41 would by
 * default send it along to any host.
 *
 * @param link `recordingUrl` of a call (contract 2.3)
 * @param maxBytes reading stops as soon as there are more
 * @throws ServiceFailure
 */
export async function fetchRecording(
	requests: Requests,
	link: string,
	maxBytes: number,
): Promise<Recording> {
	const { connection, signal } = requests;
	const first = readLink(link, connection.baseUrl);
	const rules = { budgetMs: connection.retryBudgetMs, signal, mayRepeat: readMayRepeat };
	return await withRetries(rules, async () => {
		let url = first;
		let atHome = true;
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			throwIfStopped(signal);
			atHome &&= url.origin === new URL(connection.baseUrl).origin;
			const step = await fetchStep(requests, url, atHome, maxBytes);
			if (!(step instanceof URL)) return step;
			url = step;
		}
		throw unusable(`The recording's link was sent on more than ${MAX_REDIRECTS} times`);
	});
}

/** One request: the recording, or where it is said to be. */
async function fetchStep(
	requests: Requests,
	url: URL,
	withToken: boolean,
	maxBytes: number,
): Promise<Recording | URL> {
	const { connection } = requests;
	// A link to another host may be signed: neither its path nor its query is shown.
	const asked = { method: 'GET', path: withToken ? url.pathname : '(recording)' } as const;
	try {
		const { status, headers, body } = await open(requests, url, withToken);
		const next = redirectTarget(status, headers, url);
		if (next) {
			body.destroy();
			return next;
		}
		if (status === 200) return await keep(url, headers, body, maxBytes, connection.timeoutMs);
		const { data } = await readStream(body, LONGEST_ERROR_BODY, connection.timeoutMs);
		throw statusFailure(
			{ status, headers, text: data.toString('utf8') },
			asked,
			connection.redaction,
		);
	} catch (error) {
		throw error instanceof ServiceFailure
			? error
			: readTransportError(error, asked, { ...connection, baseUrl: url.origin });
	}
}

async function open(requests: Requests, url: URL, withToken: boolean): Promise<Opened> {
	const { context, connection, signal } = requests;
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		encoding: 'stream',
		timeout: connection.timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		// What the credential allows, it allows for the service, not for other hosts.
		skipSslCertificateValidation: withToken && connection.skipCertificateCheck,
		...(signal && { abortSignal: signal }),
	};
	const { helpers } = context;
	const response: unknown = withToken
		? await helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options)
		: await helpers.httpRequest(options);
	const { statusCode, headers, body } = Object(response);
	if (!isByteStream(body)) throw unusable('The recording could not be read');
	return { status: Number(statusCode), headers: Object(headers), body };
}

async function keep(
	url: URL,
	headers: Record<string, unknown>,
	body: ByteStream,
	maxBytes: number,
	silenceMs: number,
): Promise<Recording> {
	const contentType = mediaTypeOf(headers['content-type'], url);
	if (/^text\/html$|json$/.test(contentType)) {
		body.destroy();
		throw unreadable(`a ${contentType === 'text/html' ? 'web page' : 'message'}`);
	}
	const announced = Number(headers['content-length'] ?? 0);
	if (announced > maxBytes) {
		body.destroy();
		throw tooLarge(maxBytes);
	}
	const { data, complete } = await readStream(body, maxBytes, silenceMs);
	if (!complete) throw tooLarge(maxBytes);
	if (data.length === 0) throw unreadable('nothing');
	return {
		data,
		contentType,
		fileName: fileNameOf(headers['content-disposition'], url, contentType),
	};
}

function tooLarge(maxBytes: number): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The recording is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`,
		advice: 'Allow larger recordings under Options',
	});
}

function unreadable(instead: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The recording's link gave ${instead} instead of a recording`,
		advice: 'The recording may have expired; ask the service operator about it',
	});
}
