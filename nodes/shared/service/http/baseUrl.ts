import { ServiceFailure } from './failure';

const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Turns the base URL as it was typed into the address that paths are appended to.
 *
 * Takes trailing slashes and a pasted `/api/v1` off, keeps a path prefix, and asks for https unless
 * the host is loopback: the access token must not cross a network in clear text.
 *
 * @throws ServiceFailure of kind `configuration` that names what is wrong with the address
 */
export function normalizeBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	if (text === '') throw wrongAddress('The base URL is empty');
	if (!URL.canParse(text)) throw wrongAddress(`The base URL "${text}" is not a URL`);

	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw wrongAddress('The base URL contains a user name or password');
	}
	if (!isEncryptedOrLocal(url)) {
		throw wrongAddress(`The base URL ${url.protocol}//${url.host} does not start with https://`);
	}
	const path = url.pathname
		.replace(/\/+$/, '')
		.replace(/\/api\/v1$/i, '')
		.replace(/\/+$/, '');
	return `${url.origin}${path}`;
}

/** Whether nobody on the way can read along: https, or http on this very machine. */
export function isEncryptedOrLocal(url: URL): boolean {
	if (url.protocol === 'https:') return true;
	return url.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname);
}

/**
 * Refuses a request that would carry the token in clear text.
 *
 * @throws ServiceFailure of kind `configuration`
 */
export function requireEncryption({ url, baseURL }: { url?: string; baseURL?: string }): void {
	if (url === undefined || !URL.canParse(url, baseURL)) return;
	const target = new URL(url, baseURL);
	if (isEncryptedOrLocal(target)) return;
	throw wrongAddress(`${target.protocol}//${target.host} does not start with https://`);
}

/**
 * A value as one part of a path, whatever it contains.
 *
 * @throws ServiceFailure of kind `configuration` for the few values that cannot be sent: empty, and
 * "." and "..", which every address parser resolves even when they are encoded
 */
export function pathPart(name: string, value: string): string {
	const encoded = encode(value);
	if (encoded !== undefined && value !== '' && value !== '.' && value !== '..') return encoded;
	throw new ServiceFailure({
		kind: 'configuration',
		what: `${name} ${value === '' ? 'is empty' : 'cannot be part of an address'}`,
		advice: `Enter the ${name} that the service operator gave you`,
	});
}

/** Undefined for half a character (a lone surrogate), which has no encoding. */
function encode(value: string): string | undefined {
	try {
		return encodeURIComponent(value);
	} catch {
		return undefined;
	}
}

function wrongAddress(what: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'configuration',
		what,
		advice:
			'Open the credential and enter the address that the service operator gave you, such as https://calls.example.com',
	});
}
