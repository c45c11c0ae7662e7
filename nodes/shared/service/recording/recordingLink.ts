import { isEncryptedOrLocal } from '../http/baseUrl';
import { ServiceFailure } from '../http/failure';

/**
 * The address of a recording; a link without host is one of the service's own.
 *
 * @throws ServiceFailure of kind `configuration` when it cannot or must not be asked for
 */
export function readLink(link: string, baseUrl: string): URL {
	const text = link.trim();
	if (text === '' || !URL.canParse(text, `${baseUrl}/`)) {
		throw unusable(
			text === ''
				? 'The call has no link to a recording'
				: "The recording's link is no web address",
		);
	}
	const url = new URL(text, `${baseUrl}/`);
	if (!isEncryptedOrLocal(url)) throw unusable("The recording's link does not start with https://");
	// Would be sent as a user's credentials, to whatever host.
	if (url.username !== '' || url.password !== '') {
		throw unusable("The recording's link contains a user name or password");
	}
	return url;
}

/** Where an answer sends the request on to; undefined when it does not. */
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
