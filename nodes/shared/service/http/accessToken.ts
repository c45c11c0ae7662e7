import { ServiceFailure } from './failure';

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
	if (!/^[\x21-\x7e]+$/.test(token)) throw wrongToken('contains spaces or special characters');
	return token;
}

function wrongToken(problem: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'configuration',
		what: `The access token in the credential ${problem}`,
		advice: 'Open the credential and paste the token again, as the service operator gave it to you',
	});
}
