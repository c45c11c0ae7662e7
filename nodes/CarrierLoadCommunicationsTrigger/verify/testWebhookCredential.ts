import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readVerification } from './settings';

/** Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16;

/**
 * The credential's test in the editor. Nobody can be asked whether the secret is right: the service
 * calls, not we. What can be told is whether anybody would be let in, and whether too many would.
 */
export async function testWebhookCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const verification = readVerification(credential.data);
	if (typeof verification === 'string') {
		return { status: 'Error', message: `Every event would be refused: ${verification}` };
	}
	if (verification.secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
		const what = verification.method === 'basic' ? 'password' : 'secret';
		return {
			status: 'Error',
			message: `A ${what} of fewer than ${MIN_SECRET_LENGTH} characters can be guessed. Agree on a longer one.`,
		};
	}
	return {
		status: 'OK',
		message: 'Complete. Only a delivered event shows whether the secret is right.',
	};
}
