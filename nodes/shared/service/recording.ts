import type { IHttpRequestOptions } from 'n8n-workflow';

import { isPublicHost } from '../ipAddress';
import { isRedirect, statusFailure } from './answer';
import { throwIfStopped } from './cancellation';
import { isEncryptedOrLocal } from './credential';
import { readStream, sendWithToken, STREAMED, withAnswer, type ByteStream } from './exchange';
import { ServiceFailure, type FailureKind } from './failure';
import type { Requests } from './requests';
import { readMayRepeat, withRetries } from './retry';

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

const ASK_OPERATOR = 'Ask the service operator about this recording';

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
		const { location } = headers;
		if (isRedirect(status) && typeof location === 'string') {
			return { next: readLink(location, url.href) };
		}
		// Part of a recording (206) would pass for the whole.
		const isWhole = status >= 200 && status < 300 && status !== 206;
		if (isWhole) return { saved: await saveBody(step, headers, body) };
		const text = (await readStream(body, MAX_ERROR_BODY_BYTES)).data.toString('utf8');
		throw statusFailure({ status, headers, text }, request, connection.redaction);
	});
	return withToken ? await answered : await answered.catch(rethrowAsOtherHosts);
}

const EXPIRED = [400, 401, 403, 404, 410];
const CONNECTION_KINDS: FailureKind[] = ['unreachable', 'tls', 'timeout', 'interrupted'];

/** The usual advice, about the credential and its base URL, does not fit another host. */
function rethrowAsOtherHosts(error: unknown): never {
	if (!(error instanceof ServiceFailure)) throw error;
	const { kind, status = 0 } = error.details;
	if (CONNECTION_KINDS.includes(kind)) throw error.with({ advice: ASK_OPERATOR });
	if (kind !== 'status' || !EXPIRED.includes(status)) throw error;
	throw error.with({
		what: `The recording's link no longer works (status ${status})`,
		advice: `It may have expired. Find the recording by its Call ID, which gives a new link. ${ASK_OPERATOR} if that fails, too`,
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
	const file = audioFile(headers, url);
	if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	let size = 0;
	const stream = body.map((chunk: unknown) => {
		const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
		size += bytes.length;
		if (size > maxBytes) throw tooLarge(maxBytes);
		return bytes;
	});
	const saved = await save({ stream, ...file });
	if (size === 0) throw notAudio('nothing');
	return saved;
}

/** The endings of the files that are saved, each with its types: what it is saved as comes first. */
const AUDIO: ReadonlyArray<readonly [ending: string, type: string, ...others: string[]]> = [
	['wav', 'audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
	['mp3', 'audio/mpeg', 'audio/mp3'],
	['m4a', 'audio/mp4', 'audio/x-m4a', 'audio/m4a', 'video/mp4'],
	['aac', 'audio/aac'],
	['ogg', 'audio/ogg', 'application/ogg'],
	['opus', 'audio/opus'],
	['webm', 'audio/webm', 'video/webm'],
	['flac', 'audio/flac', 'audio/x-flac'],
	['amr', 'audio/amr'],
	['au', 'audio/basic'],
	['aiff', 'audio/aiff', 'audio/x-aiff'],
];

/** A file store that doesn't know a type says one of these: then the name's ending decides. */
const UNKNOWN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream'];

/**
 * The type of a recording, and a safe name that always has the ending of this type.
 *
 * @throws ServiceFailure for anything that does not say that it is audio
 */
export function audioFile(headers: Record<string, unknown>, url: URL): Omit<Recording, 'stream'> {
	const [sent = ''] = String(headers['content-type'] ?? '')
		.slice(0, 100)
		.split(';');
	const type = sent.trim().toLowerCase();
	const name =
		clean(dispositionName(headers['content-disposition'])) ||
		clean(decoded(url.pathname.split('/').at(-1)));
	const named = /^(.*)\.([a-z0-9]{2,4})$/i.exec(name);
	const byEnding = AUDIO.find(([ending]) => ending === named?.[2]?.toLowerCase());
	const isUnknown = UNKNOWN_TYPES.includes(type);
	const found = isUnknown ? byEnding : AUDIO.find(([, ...types]) => types.includes(type));
	if (found === undefined) throw notAudio(whatItIs(type));
	const [ending, contentType] = found;
	const stem = byEnding === undefined ? name : (named?.[1] ?? '');
	// Windows has devices of these names.
	const isUsable = stem !== '' && !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem);
	return { fileName: `${isUsable ? stem : 'recording'}.${ending}`, contentType };
}

function whatItIs(type: string): string {
	if (type.includes('html')) return 'a web page';
	return type === '' ? 'a file without a type' : `a file of the type ${type}`;
}

/** RFC 6266: `filename*=UTF-8''…` wins over `filename="…"`, which Node.js reads as Latin-1. */
function dispositionName(disposition: unknown): string {
	const text = typeof disposition === 'string' ? disposition.slice(0, 1000) : '';
	const extended = /filename\*\s?=\s?utf-8'[^']{0,20}'([^;]+)/i.exec(text)?.[1];
	if (extended) return decoded(extended.trim());
	const [, plain = '', quoted] = /filename\s?=\s?("([^"]*)"|[^;]+)/i.exec(text) ?? [];
	const name = (quoted ?? plain).trim();
	const utf8 = Buffer.from(name, 'latin1').toString('utf8');
	return utf8.includes('\uFFFD') ? name : utf8;
}

function decoded(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Without folders, characters that Windows refuses, and those that can't be seen. */
function clean(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	return last
		.slice(0, 120)
		.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
		.replace(/[<>:"|?*]/g, '_')
		.replace(/^[. ]{1,120}|(?<![. ])[. ]{1,120}$/g, '');
}

/**
 * A recording's URL. A link without a host belongs to the service.
 *
 * @param from the URL that contained the link: the service's, or a redirect's
 * @throws ServiceFailure of kind `configuration` if it can't or must not be requested
 */
function readLink(link: string, from: string): URL {
	const text = link.trim();
	if (text === '' || !URL.canParse(text, `${from}/`)) {
		throw unusable(
			text === '' ? 'The call has no link to a recording' : "The recording's link is not a URL",
		);
	}
	const url = new URL(text, `${from}/`);
	if (!isEncryptedOrLocal(url)) throw unusable("The recording's link does not start with https://");
	// It would be sent as credentials to whatever host it is.
	if (url.username !== '' || url.password !== '') {
		throw unusable("The recording's link contains a user name or password");
	}
	// Outsiders must not make n8n read from its private network.
	if (!isPublicHost(url.hostname) && isPublicHost(new URL(from).hostname)) {
		throw unusable(`The recording's link leads to a private network (${url.hostname})`);
	}
	return url;
}

function unusable(what: string): ServiceFailure {
	return new ServiceFailure({ kind: 'configuration', what, advice: ASK_OPERATOR });
}

function notAudio(instead: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The recording's link returned ${instead} instead of a recording`,
		advice: `The recording may have expired. ${ASK_OPERATOR}`,
	});
}

function tooLarge(maxBytes: number): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The recording is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`,
		advice: 'Raise Max Size (MB) under Options',
	});
}
