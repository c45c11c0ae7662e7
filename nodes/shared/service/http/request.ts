import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Redaction } from './answer/redaction';

export const CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** Where and how the service is reached, read from the credential and the node's options. */
export interface Connection {
	baseUrl: string;
	skipCertificateCheck: boolean;
	/** How long one request may take from its start to the last byte of its answer, in milliseconds. */
	timeoutMs: number;
	/** How long a request, its retries and the waits between them may take in all, in milliseconds. */
	retryBudgetMs: number;
	redaction: Redaction;
}

export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
	/** Path below the base URL, each part already encoded. */
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
