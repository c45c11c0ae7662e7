import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CallsSetting } from './contract';
import type { Redaction } from './redaction';

export interface Connection {
	context: IAllExecuteFunctions;
	/** Tells that the user pressed Stop. */
	signal: AbortSignal | undefined;
	baseUrl: string;
	skipCertificateCheck: boolean;
	/** For one request, to the response's last byte. */
	timeoutMs: number;
	/** For a request with all retries and waits. */
	retryBudgetMs: number;
	redaction: Redaction;
	credential: () => Promise<ICredentialDataDecryptedObject>;
	/** What the credential lets workflows do, as it was at the start of the run. */
	calls: CallsSetting;
}
