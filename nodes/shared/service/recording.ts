import { isPublicHost } from '../ipAddress';
import { isRedirect, statusFailure } from './answerFailure';
import type { Connection } from './connection';
import { isEncryptedOrLocal } from './credential';
import { readStream, sendWithToken, streamed, throwIfStopped, withAnswer } from './exchange';
import type { ByteStream } from './exchange';
import { ServiceFailure, unusable } from './failure';
import { withRetries } from './requests';
import { readMayRepeat } from './retry';

/** A recording that is being downloaded, and what stores it meanwhile, such as n8n's binary data. */
export interface Recording {
	stream: ByteStream;
	contentType: string;
	fileName: string;
}
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
 * @param link a call's `recordingUrl` (contract 2.3)
 * @throws ServiceFailure also when the recording has more than `maxBytes`
 */
export async function fetchRecording<Saved>(
	connection: Connection,
	link: string,
	maxBytes: number,
	save: SaveRecording<Saved>,
): Promise<Saved> {
	const { baseUrl, signal } = connection;
	const first = readLink(link, baseUrl);
	const home = new URL(baseUrl).origin;
	return await withRetries(connection, { mayRepeat: readMayRepeat }, async () => {
		let url = first;
		let withToken = true;
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			throwIfStopped(signal);
			withToken &&= url.origin === home;
			const step = await request(connection, url, withToken, async (headers, body) => ({
				saved: await saveBody(audioFile(headers, url), headers, body, maxBytes, save),
			}));
			if ('saved' in step) return step.saved;
			url = step.next;
		}
		const what = `The recording's link was redirected more than ${MAX_REDIRECTS} times`;
		throw unusable(what, ASK_OPERATOR);
	});
}

/** One request, which saves the recording or returns a redirect. */
async function request<Saved>(
	connection: Connection,
	url: URL,
	withToken: boolean,
	save: (headers: Record<string, unknown>, body: ByteStream) => Promise<Saved>,
): Promise<Saved | { next: URL }> {
	const { context, signal: abortSignal, redaction, timeoutMs } = connection;
	// A link to another host may be signed, so neither its path nor its query is shown.
	const named = { method: 'GET', path: withToken ? url.pathname : '(recording)' } as const;
	const limits = { baseUrl: url.origin, timeoutMs: timeoutMs * TIMEOUTS_PER_RECORDING };
	const send = async (): Promise<unknown> => {
		const options = { method: 'GET', url: url.href, ...(abortSignal && { abortSignal }) } as const;
		if (withToken) return await sendWithToken(connection, options);
		return await context.helpers.httpRequest({ ...streamed(connection), ...options });
	};
	const answered = withAnswer(named, limits, send, async ({ status, headers, body }) => {
		if (isRedirect(status) && typeof headers.location === 'string') {
			return { next: readLink(headers.location, url.href) };
		}
		// Part of a recording (206) would pass for the whole.
		if (status >= 200 && status < 300 && status !== 206) return await save(headers, body);
		const text = (await readStream(body, MAX_ERROR_BODY_BYTES)).data.toString('utf8');
		throw statusFailure({ status, headers, text }, named, redaction);
	});
	return withToken ? await answered : await answered.catch(rethrowAsOtherHosts);
}

const EXPIRED = [400, 401, 403, 404, 410];

/** The usual advice, about the credential and its base URL, does not fit another host. */
function rethrowAsOtherHosts(error: unknown): never {
	if (!(error instanceof ServiceFailure)) throw error;
	const { kind, status = 0 } = error.details;
	if (['unreachable', 'tls', 'timeout', 'interrupted'].includes(kind)) {
		throw error.with({ advice: ASK_OPERATOR });
	}
	if (kind !== 'status' || !EXPIRED.includes(status)) throw error;
	throw error.with({
		what: `The recording's link no longer works (status ${status})`,
		advice: `It may have expired. Find the recording by its Call ID, which gives a new link. ${ASK_OPERATOR} if that fails, too`,
	});
}

/** @throws ServiceFailure if it has too many bytes, or none */
async function saveBody<Saved>(
	file: Omit<Recording, 'stream'>,
	headers: Record<string, unknown>,
	body: ByteStream,
	maxBytes: number,
	save: SaveRecording<Saved>,
): Promise<Saved> {
	if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	let size = 0;
	const stream = body.map((chunk: Uint8Array) => {
		size += chunk.length;
		if (size > maxBytes) throw tooLarge(maxBytes);
		return chunk;
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

/** A file store that doesn't know a type says one of these: then the URL's ending decides. */
const UNKNOWN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream'];

/** A recording's type, and a name from its URL. @throws ServiceFailure unless it says that it is audio */
export function audioFile(headers: Record<string, unknown>, url: URL): Omit<Recording, 'stream'> {
	const [sent = ''] = String(headers['content-type'] ?? '').split(';', 1);
	const type = sent.slice(0, 100).trim().toLowerCase();
	const [, stem = 'recording', ending = ''] =
		/\/(\w[\w-]{0,99})(?:\.(\w{1,4}))?$/.exec(url.pathname) ?? [];
	const found = UNKNOWN_TYPES.includes(type)
		? AUDIO.find(([known]) => known === ending.toLowerCase())
		: AUDIO.find(([, ...types]) => types.includes(type));
	if (found) return { fileName: `${stem}.${found[0]}`, contentType: found[1] };
	const known = type.includes('html') ? 'a web page' : `a file of the type ${type}`;
	throw notAudio(type === '' ? 'a file without a type' : known);
}

/**
 * A recording's URL. A link without a host belongs to the service.
 * @param from the URL that contained the link: the service's, or a redirect's
 * @throws ServiceFailure if it can't or must not be requested
 */
function readLink(link: string, from: string): URL {
	if (link.trim() === '') throw unusable('The call has no link to a recording', ASK_OPERATOR);
	const refused = (why: string) => unusable(`The recording's link ${why}`, ASK_OPERATOR);
	if (!URL.canParse(link, `${from}/`)) throw refused('is not a URL');
	const url = new URL(link, `${from}/`);
	if (!isEncryptedOrLocal(url)) throw refused('does not start with https://');
	// It would be sent as credentials to any host.
	if (url.username !== '' || url.password !== '') throw refused('contains a user name or password');
	// Outsiders must not make n8n read from its private network.
	if (!isPublicHost(url.hostname) && isPublicHost(new URL(from).hostname)) {
		throw refused(`leads to a private network (${url.hostname})`);
	}
	return url;
}

function notAudio(instead: string): ServiceFailure {
	const what = `The recording's link returned ${instead} instead of a recording`;
	const advice = `The recording may have expired. ${ASK_OPERATOR}`;
	return new ServiceFailure({ kind: 'unreadable', what, advice });
}

function tooLarge(maxBytes: number): ServiceFailure {
	const what = `The recording is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`;
	const advice = 'Raise Max Size (MB) under Options';
	return new ServiceFailure({ kind: 'unreadable', what, advice });
}
