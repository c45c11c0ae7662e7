import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Connection } from './connection';
import { CREDENTIAL_TYPE, type CallsSetting, type ServiceRequest } from './contract';
import { ServiceFailure, unusable } from './failure';

/** A token may be replaced, and Calls paused, which is promised to work within ten seconds. */
const FRESH_MS = 5_000;

/**
 * Reads a node's credential for its requests. For each request without it, n8n would read it from
 * its database and decrypt it, which takes longer than the rest of the request (n8n 2.41).
 */
export function nodeCredential(context: IAllExecuteFunctions) {
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
 * @throws ServiceFailure before anything is sent: also if the credential now has another base URL,
 * because its token belongs to that service, and for a call that its Calls setting no longer allows
 */
export async function credentialFor(connection: Connection, method: ServiceRequest['method']) {
	const data = await connection.credential().catch((): never => {
		const advice = "Check that the node's credential still exists, and run the node again";
		const what = 'n8n could not read the credential';
		throw new ServiceFailure({ kind: 'unreachable', what, advice });
	});
	if (normalizeBaseUrl(data.baseUrl) !== connection.baseUrl) {
		throw unusable(
			'The base URL in the credential was changed while the node was running',
			'Run it again to use the new base URL',
		);
	}
	if (method === 'POST') refuseUnlessAllowed(callsSettingOf(data), connection.calls);
	connection.redaction.hide(readAccessToken(data.accessToken));
	// The credential itself refuses what its setting doesn't allow, and this is allowed.
	return { id: '', name: '', type: CREDENTIAL_TYPE, data: { ...data, callMode: 'live' } };
}

/** The token as pasted, without spaces or "Bearer". @throws ServiceFailure if it can't be sent in a header */
export function readAccessToken(typed: unknown): string {
	const pasted = String(typed ?? '').trim();
	const token = pasted.replace(/^Bearer(\s+|$)/i, '');
	let problem: string | undefined;
	if (!/^[\x21-\x7e]+$/.test(token)) problem = 'contains spaces or special characters';
	if (/^["'<{]/.test(token)) problem = `starts with ${token.charAt(0)}`;
	if (token === '') problem = 'is empty';
	if (problem === undefined) return token;
	throw unusable(
		`The access token in the credential ${problem}`,
		'In the credential, paste the token again, as the service operator gave it to you',
	);
}

const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const NOT_HTTPS = 'The base URL does not start with https://';

/**
 * The base URL to which paths are appended: without trailing slashes or a pasted `/api/v1`, with
 * its path prefix. Requires https unless the host is loopback, because the access token must not be
 * sent in clear text.
 * @throws ServiceFailure
 */
export function normalizeBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	if (text === '') throw wrongAddress('The base URL is empty');
	// What was typed is not shown, because it may be a token. "calls.example.com:8443" is a URL, too.
	if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) throw wrongAddress(NOT_HTTPS);
	if (!URL.canParse(text)) throw wrongAddress('The base URL is not a URL');
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw wrongAddress('The base URL contains a user name or password');
	}
	if (!isEncryptedOrLocal(url)) throw wrongAddress(NOT_HTTPS);
	const parts = url.pathname.split('/').filter((part) => part !== '');
	const isVersioned = /^api\/v1$/i.test(parts.slice(-2).join('/'));
	return [url.origin, ...(isVersioned ? parts.slice(0, -2) : parts)].join('/');
}

function wrongAddress(what: string): ServiceFailure {
	return unusable(
		what,
		'In the credential, enter the base URL that the service operator gave you, such as https://calls.example.com',
	);
}

/** Whether no one can read the request on its way: https, or http within this machine. */
export function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.test(hostname));
}

/**
 * Keeps the environment's proxy (`HTTP_PROXY`) from seeing the token in clear text. n8n 2.41 uses that proxy for
 * each request that names no other, so an http request, which stays on this machine, names the service itself:
 * the service gets the whole URL in the request line (RFC 9112, 3.2.2).
 */
export function directIfUnencrypted(baseUrl: string): Pick<IHttpRequestOptions, 'proxy'> {
	const { protocol, hostname: host, port } = new URL(baseUrl);
	if (protocol !== 'http:') return {};
	return { proxy: { protocol: 'http', host, port: Number(port || 80) } };
}

export const CALL_MODES = {
	live: 'Live',
	testNumber: 'Test Number',
	dryRun: 'Dry Run',
	paused: 'Paused',
};

/** Nothing but the setting's own values places calls; a credential from before the setting has none. */
export function callsSettingOf(credential: ICredentialDataDecryptedObject): CallsSetting {
	const { callMode, testNumber } = credential;
	const modes = ['live', 'testNumber', 'dryRun', 'paused'] as const;
	const mode = modes.find((each) => each === (callMode ?? 'live')) ?? 'paused';
	return { mode, testNumber: String(testNumber ?? '').trim() };
}

/** Refuses a call that was planned by the setting at the start of the run if it no longer allows it. */
function refuseUnlessAllowed(now: CallsSetting, planned: CallsSetting): void {
	const isSame = now.mode === planned.mode && now.testNumber === planned.testNumber;
	if (now.mode === 'live' || (now.mode === 'testNumber' && isSame)) return;
	const isPaused = now.mode === 'paused';
	throw unusable(
		`The credential's Calls setting is ${isPaused ? '' : 'now '}${CALL_MODES[now.mode]}`,
		isPaused
			? 'When calls may be placed again, set it to Live in the credential, and run this item again'
			: 'It was changed while the node was running. Run this item again',
	);
}
