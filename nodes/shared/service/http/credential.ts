import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
} from 'n8n-workflow';

import { normalizeBaseUrl } from './baseUrl';
import { ServiceFailure } from './failure';
import { CREDENTIAL_TYPE, type Connection } from './request';

/** A token may be replaced while a run waits, so the credential is read again after this time. */
const FRESH_MS = 10_000;

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
 * because its token belongs to that service
 */
export async function credentialFor(
	connection: Pick<Connection, 'baseUrl' | 'redaction' | 'credential'>,
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
	connection.redaction.hide(readAccessToken(data.accessToken));
	return { id: '', name: '', type: CREDENTIAL_TYPE, data };
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
