import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { problemOfSecrets, readVerifier } from './methods';

/** Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16;

/** The service calls n8n, so n8n can only test whether the credential is complete. */
export async function testWebhookCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const verifier = readVerifier(credential.data);
	if (typeof verifier === 'string') {
		return { status: 'Error', message: `Every event would be rejected: ${verifier}` };
	}
	const problem = problemOfSecrets(credential.data);
	if (problem !== undefined) return { status: 'Error', message: problem };
	if (verifier.secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
		return {
			status: 'Error',
			message: `A secret of fewer than ${MIN_SECRET_LENGTH} characters is easy to guess. Agree on a longer one with the service operator.`,
		};
	}
	return {
		status: 'OK',
		message: 'The credential is complete. Send a test event to check that the secret is right.',
	};
}
