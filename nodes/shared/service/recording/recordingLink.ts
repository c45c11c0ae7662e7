import { readAddress } from '../../ipAddress';
import { isRedirect } from '../http/answer/statusFailure';
import { isEncryptedOrLocal } from '../http/baseUrl';
import { ServiceFailure } from '../http/failure';

/** Kinds of IP addresses outside the public internet that have hosts (RFC 6890). */
const PRIVATE_RANGES = new Set([
	...['unspecified', 'loopback', 'linkLocal', 'private', 'carrierGradeNat', 'uniqueLocal'],
	// Contains 198.18.0.0/15, which test networks and proxies use.
	'reserved',
]);

/**
 * A recording's URL. A link without a host belongs to the service.
 *
 * @param from the URL that contained the link: the service's, or a redirect's
 * @throws ServiceFailure of kind `configuration` if it can't or must not be requested
 */
export function readLink(link: string, from: string): URL {
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
	if (isPrivateHost(url.hostname) && !isPrivateHost(new URL(from).hostname)) {
		throw unusable(`The recording's link leads to a private network (${url.hostname})`);
	}
	return url;
}

/** The target of a redirect; undefined for other responses. */
export function redirectTarget(
	status: number,
	headers: Record<string, unknown>,
	from: URL,
): URL | undefined {
	const { location } = headers;
	if (!isRedirect(status) || typeof location !== 'string') return undefined;
	return readLink(location, from.href);
}

export function unusable(what: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'configuration',
		what,
		advice: 'Ask the service operator about this recording',
	});
}

/**
 * Whether a host name or address means this machine or a private network. (n8n's own SSRF
 * protection, if enabled, also checks what a name resolves to.)
 *
 * @param hostname from `URL`: IPv4 in dotted decimal, IPv6 in brackets
 */
function isPrivateHost(hostname: string): boolean {
	if (/(^|\.)(localhost|local|internal)\.?$/.test(hostname)) return true;
	const address = readAddress(hostname);
	return address !== undefined && PRIVATE_RANGES.has(address.range());
}
