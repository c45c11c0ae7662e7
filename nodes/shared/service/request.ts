import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestMethods,
} from 'n8n-workflow';

import type { Redaction } from './redaction';

export const CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** What the credential's owner lets workflows do: its Calls setting. */
export interface CallsSetting {
	mode: 'live' | 'testNumber' | 'dryRun' | 'paused';
	/** As typed; only `testNumber` uses it. */
	testNumber: string;
}

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
	/** What the credential lets workflows do, as it was at the start of the run. */
	calls: CallsSetting;
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

/** Rows per request: as many as the service allows (contract 8). */
export const DEFAULT_PAGE_SIZE = 500;

/** Time limit for one request, up to the last byte of the response, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Time limit for a request with all its retries and the waits between them, in milliseconds. */
export const DEFAULT_RETRY_BUDGET_MS = 5 * 60_000;

/** Size limit of a decompressed response other than a recording, in bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Size limit of a recording, in bytes. */
export const DEFAULT_MAX_RECORDING_BYTES = 100 * 1024 * 1024;
