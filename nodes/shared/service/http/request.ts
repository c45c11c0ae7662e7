import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestMethods,
} from 'n8n-workflow';

import type { Redaction } from './answer/redaction';

export const CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** How to reach the service, from the credential and the node's options. */
export interface Connection {
	baseUrl: string;
	skipCertificateCheck: boolean;
	/** Time limit for one request, to the response's last byte, in milliseconds. */
	timeoutMs: number;
	/** Time limit for a request with all retries and waits, in milliseconds. */
	retryBudgetMs: number;
	redaction: Redaction;
	/** The credential that requests are authenticated with. */
	credential: () => Promise<ICredentialDataDecryptedObject>;
}

export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
	/** Path below the base URL, with encoded segments. */
	path: string;
	query?: IDataObject | undefined;
	body?: IDataObject | undefined;
	/** Which load, carrier or lane it is about, for errors. */
	about?: string | undefined;
}

export interface ServiceAnswer {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}
