import type { IHttpRequestOptions } from 'n8n-workflow';

import { throwIfStopped } from '../http/cancellation';
import { sendWithToken, STREAMED, withAnswer } from '../http/exchange';
import type { Requests } from '../http/requests';
import { readMayRepeat, withRetries } from '../http/retry';
import { statusFailure } from '../http/answer/statusFailure';
import { readStream, type ByteStream } from '../http/stream';
import { AudioCheck } from './audioCheck';
import { failureOfOtherHost } from './otherHost';
import { readLink, redirectTarget, unusable } from './recordingLink';
import { fileNameOf, mediaTypeOf } from './recordingName';

/** A recording that is being downloaded. */
export interface Recording {
	stream: ByteStream;
	contentType: string;
	fileName: string;
}

/** Stores a recording while it downloads, for example as n8n's binary data. */
export type SaveRecording<Saved> = (recording: Recording) => Promise<Saved>;

const MAX_REDIRECTS = 5;
const MAX_ERROR_BODY_BYTES = 100_000;

/** Recordings are larger than other responses, so they may take this many times the timeout. */
const TIMEOUTS_PER_RECORDING = 10;

/**
 * Downloads a recording and streams it to storage. The access token is sent only to the service's
 * own origin: redirects are followed here, and once one leads elsewhere, no later request carries
 * the token. By default, n8n-core 2.41 would send it to any host.
 *
 * @param link a call's `recordingUrl` (contract 2.3)
 * @param maxBytes maximum size; reading stops there
 * @throws ServiceFailure
 */
export async function fetchRecording<Saved>(
	requests: Requests,
	link: string,
	maxBytes: number,
	save: SaveRecording<Saved>,
): Promise<Saved> {
	const { connection, signal } = requests;
	const first = readLink(link, connection.baseUrl);
	const home = new URL(connection.baseUrl).origin;
	const rules = { budgetMs: connection.retryBudgetMs, signal, mayRepeat: readMayRepeat };
	return await withRetries(rules, async () => {
		let url = first;
		let withToken = true;
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			throwIfStopped(signal);
			withToken &&= url.origin === home;
			const step = await fetchStep(requests, { url, withToken, maxBytes, save });
			if ('saved' in step) return step.saved;
			url = step.next;
		}
		throw unusable(`The recording's link was redirected more than ${MAX_REDIRECTS} times`);
	});
}

interface Step<Saved> {
	url: URL;
	withToken: boolean;
	maxBytes: number;
	save: SaveRecording<Saved>;
}

/** One request, which saves the recording or returns a redirect. */
async function fetchStep<Saved>(
	requests: Requests,
	step: Step<Saved>,
): Promise<{ saved: Saved } | { next: URL }> {
	const { connection } = requests;
	const { url, withToken } = step;
	// A link to another host may be signed, so neither its path nor its query is shown.
	const request = { method: 'GET', path: withToken ? url.pathname : '(recording)' } as const;
	const timeoutMs = connection.timeoutMs * TIMEOUTS_PER_RECORDING;
	const limits = { baseUrl: url.origin, timeoutMs };
	const send = async () => await sendTo(requests, step);
	const answered = withAnswer(request, limits, send, async ({ status, headers, body }) => {
		const next = redirectTarget(status, headers, url);
		if (next) return { next };
		// Part of a recording (206) would pass for the whole.
		const isWhole = status >= 200 && status < 300 && status !== 206;
		if (isWhole) return { saved: await saveBody(step, headers, body) };
		const text = (await readStream(body, MAX_ERROR_BODY_BYTES)).data.toString('utf8');
		throw statusFailure({ status, headers, text }, request, connection.redaction);
	});
	return await answered.catch((error: unknown) => {
		throw withToken ? error : failureOfOtherHost(error, url.host);
	});
}

async function sendTo(requests: Requests, { url, withToken }: Step<unknown>): Promise<unknown> {
	const { context, connection, signal } = requests;
	const options: IHttpRequestOptions = {
		...STREAMED,
		method: 'GET',
		url: url.href,
		timeout: connection.timeoutMs,
		// The credential's permission is for the service, not for other hosts.
		skipSslCertificateValidation: withToken && connection.skipCertificateCheck,
		...(signal && { abortSignal: signal }),
	};
	if (withToken) return await sendWithToken(context, connection, options);
	const response: unknown = await context.helpers.httpRequest(options);
	return response;
}

async function saveBody<Saved>(
	{ url, maxBytes, save }: Step<Saved>,
	headers: Record<string, unknown>,
	body: ByteStream,
): Promise<Saved> {
	const contentType = mediaTypeOf(headers['content-type'], url);
	const fileName = fileNameOf(headers['content-disposition'], url, contentType);
	const check = new AudioCheck(contentType, maxBytes);
	check.announced(Number(headers['content-length'] ?? 0));
	const stream = body.map((chunk: unknown) => check.passed(chunk));
	const saved = await save({ stream, contentType, fileName });
	check.ended();
	return saved;
}
