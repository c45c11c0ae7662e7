import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from './request';

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
