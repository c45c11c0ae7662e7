import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
} from 'n8n-workflow';

import { callsSettingOf, refuseUnlessAllowed } from './callsSetting';
import { ServiceFailure } from './failure';
import { CREDENTIAL_TYPE, type Connection, type ServiceRequest } from './request';

/**
 * A token may be replaced while a run waits, and Calls switched to Paused, which is promised to work
 * within ten seconds: so the credential is read again after this time.
 */
const FRESH_MS = 5_000;

/**
 * Reads a node's credential for its requests. For each request without it, n8n would read it from
 * its database and decrypt it, which takes longer than the rest of the request (n8n 2.41).
 */
export function nodeCredential(
	context: IAllExecuteFunctions,
): () => Promise<ICredentialDataDecryptedObject> {
	let readAt = Number.NEGATIVE_INFINITY;
	let credential: ICredentialDataDecryptedObject = {};
	return async () => {
		if (Date.now() - readAt < FRESH_MS) return credential;
		credential = await context.getCredentials(CREDENTIAL_TYPE);
		readAt = Date.now();
		return credential;
	};
}

/**
 * The credential for one more request of a connection.
 *
 * @throws ServiceFailure before anything is sent: also if the credential now has another base URL,
 * because its token belongs to that service, and for a call that its Calls setting no longer allows
 */
export async function credentialFor(
	connection: Pick<Connection, 'baseUrl' | 'redaction' | 'credential' | 'calls'>,
	method: ServiceRequest['method'] = 'GET',
): Promise<ICredentialsDecrypted> {
	const data = await connection.credential().catch((): never => {
		throw new ServiceFailure({
			kind: 'unreachable',
			what: 'n8n could not read the credential',
			advice: "Check that the node's credential still exists, and run the node again",
		});
	});
	if (normalizeBaseUrl(data.baseUrl) !== connection.baseUrl) {
		throw new ServiceFailure({
			kind: 'configuration',
			what: 'The base URL in the credential was changed while the node was running',
			advice: 'Run it again to use the new base URL',
		});
	}
	if (method === 'POST') refuseUnlessAllowed(callsSettingOf(data), connection.calls);
	connection.redaction.hide(readAccessToken(data.accessToken));
	// The credential itself refuses what its setting doesn't allow, and this is allowed.
	return { id: '', name: '', type: CREDENTIAL_TYPE, data: { ...data, callMode: 'live' } };
}

/**
 * The token as sent by the credential's `authenticate`, without the spaces, line break or "Bearer"
 * that people paste with it.
 *
 * @throws ServiceFailure of kind `configuration` if it is empty or can't be sent in a header
 */
export function readAccessToken(typed: unknown): string {
	const token = String(typed ?? '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
	if (token === '') throw wrongToken('is empty');
	if (/^["'<{]/.test(token)) throw wrongToken(`starts with ${token.charAt(0)}`);
	if (!/^[\x21-\x7e]+$/.test(token)) throw wrongToken('contains spaces or special characters');
	return token;
}

function wrongToken(problem: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'configuration',
		what: `The access token in the credential ${problem}`,
		advice: 'In the credential, paste the token again, as the service operator gave it to you',
	});
}

const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** A token pasted into the wrong field has no such ending, and must not be shown. */
const SHOWN_HOSTS = /\.([a-z]{2,24}|\d{1,3})$/;

/**
 * The base URL to which paths are appended: without trailing slashes or a pasted `/api/v1`, with
 * its path prefix. Requires https unless the host is loopback, because the access token must not be
 * sent in clear text.
 *
 * @throws ServiceFailure of kind `configuration`
 */
export function normalizeBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	if (text === '') throw wrongAddress('The base URL is empty');
	// "calls.example.com" is no URL, and "calls.example.com:8443" is one without a host.
	const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	const typedUrl = hasScheme ? text : `https://${text}`;
	if (!URL.canParse(typedUrl)) throw wrongAddress('The base URL is not a URL');

	const url = new URL(typedUrl);
	if (url.username !== '' || url.password !== '') {
		throw wrongAddress('The base URL contains a user name or password');
	}
	if (!hasScheme) {
		const isLocal = LOOPBACK_HOSTS.test(url.hostname);
		const problem = 'does not start with https://';
		if (!isLocal && !SHOWN_HOSTS.test(url.hostname)) throw wrongAddress(`The base URL ${problem}`);
		throw wrongAddress(
			`The base URL "${url.host}" ${problem}`,
			`${isLocal ? 'http' : 'https'}://${url.host}`,
		);
	}
	if (!isEncryptedOrLocal(url)) {
		throw wrongAddress(`The base URL ${url.protocol}//${url.host} does not start with https://`);
	}
	const path = url.pathname
		.replace(/(?<!\/)\/+$/, '')
		.replace(/\/api\/v1$/i, '')
		.replace(/(?<!\/)\/+$/, '');
	return `${url.origin}${path}`;
}

/** Whether nobody can read the request on its way: https, or http within this machine. */
export function isEncryptedOrLocal(url: URL): boolean {
	if (url.protocol === 'https:') return true;
	return url.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname);
}

/**
 * Rejects a request to anywhere but the service, because the token would go along.
 *
 * @param request as n8n's helpers take it: `uri` comes from older nodes (HTTP Request up to 4.2)
 * @throws ServiceFailure of kind `configuration`
 */
export function requireOwnOrigin(
	baseUrl: string,
	request: { url?: unknown; uri?: unknown; baseURL?: unknown },
): void {
	const { baseURL, url, uri } = request;
	const base = baseURL == null ? undefined : String(baseURL);
	const home = new URL(baseUrl).origin;
	// Which of them n8n takes depends on its version and the node's, so neither may lead elsewhere.
	const given = [url, uri].filter((each) => each != null).map(String);
	const asked = (given.length > 0 ? given : ['']).map((each) =>
		URL.canParse(each, base) ? new URL(each, base) : undefined,
	);
	const foreign = asked.filter((each) => each?.origin !== home);
	if (foreign.length === 0) return;
	const [elsewhere] = foreign;
	const isWeb = elsewhere?.protocol === 'http:' || elsewhere?.protocol === 'https:';
	throw new ServiceFailure({
		kind: 'configuration',
		what: `This credential is for ${home} only, not for ${isWeb ? elsewhere.origin : 'another URL'}`,
		advice: 'Choose another credential for this request, or correct its URL',
	});
}

/**
 * Encodes a value as one path segment.
 *
 * @throws ServiceFailure of kind `configuration` for values that can't be sent: empty, and "." and
 * "..", which URL parsers resolve even if they are encoded
 */
export function pathPart(name: string, value: string): string {
	const encoded = encode(value);
	if (encoded !== undefined && value !== '' && value !== '.' && value !== '..') return encoded;
	throw new ServiceFailure({
		kind: 'configuration',
		what: `${name} ${value === '' ? 'is empty' : 'cannot be part of a URL'}`,
		advice: `Enter the ${name} that the service operator gave you`,
	});
}

/** Undefined for a lone surrogate (half a character), which has no encoding. */
function encode(value: string): string | undefined {
	try {
		return encodeURIComponent(value);
	} catch {
		return undefined;
	}
}

function wrongAddress(
	what: string,
	right = 'the base URL that the service operator gave you, such as https://calls.example.com',
): ServiceFailure {
	return new ServiceFailure({
		kind: 'configuration',
		what,
		advice: `In the credential, enter ${right}`,
	});
}
