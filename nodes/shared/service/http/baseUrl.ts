import { ServiceFailure } from './failure';

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
		.replace(/\/+$/, '')
		.replace(/\/api\/v1$/i, '')
		.replace(/\/+$/, '');
	return `${url.origin}${path}`;
}

/** Whether nobody can read the request on its way: https, or http within this machine. */
export function isEncryptedOrLocal(url: URL): boolean {
	if (url.protocol === 'https:') return true;
	return url.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname);
}

/**
 * Rejects a request that would send the token in clear text.
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
