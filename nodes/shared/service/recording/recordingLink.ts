import { isEncryptedOrLocal } from '../http/baseUrl';
import { ServiceFailure } from '../http/failure';
import { isPrivateHost } from './privateHost';

/**
 * The URL of a recording; a link without a host is one of the service's own.
 *
 * @param from the URL that the link came from: the service's, or that of a redirect
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
	// Would be sent as a user's credentials, to whatever host.
	if (url.username !== '' || url.password !== '') {
		throw unusable("The recording's link contains a user name or password");
	}
	// Nobody outside may make n8n read from the machines around it.
	if (isPrivateHost(url.hostname) && !isPrivateHost(new URL(from).hostname)) {
		throw unusable(`The recording's link leads to a private network (${url.hostname})`);
	}
	return url;
}

/** Where an answer redirects to; undefined if it doesn't. */
export function redirectTarget(
	status: number,
	headers: Record<string, unknown>,
	from: URL,
): URL | undefined {
	const { location } = headers;
	if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') return undefined;
	return readLink(location, from.href);
}

export function unusable(what: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'configuration',
		what,
		advice: 'Ask the service operator about this recording',
	});
}
