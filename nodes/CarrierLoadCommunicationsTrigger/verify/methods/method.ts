import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Headers } from '../headers';

/** Why a request is rejected, for the log: never a secret. Undefined if it is accepted. */
export type Refusal = string | undefined;

/** Checks requests with the settings of one credential. */
export interface Verifier {
	/** The secret and, during rotation, the previous one. Never empty. */
	secrets: string[];
	/** Headers that carry the proof; they are never passed to the workflow. */
	secretHeaders: string[];
	/** What the headers alone show, before the body is read. */
	checkHeaders?: (headers: Headers) => Refusal;
	/** Whether the body is signed, and recently enough. */
	checkBody?: (headers: Headers, rawBody: Buffer, nowMs: number) => Refusal;
	/** Value of the header `WWW-Authenticate` when the request is rejected. */
	challenge?: string;
	/**
	 * What signing covers beyond the body. Without it, nothing is signed: who knows the secret can
	 * send anything.
	 */
	signature?: {
		/** The event ID that is part of the signed text, if any. */
		eventId(headers: Headers): string | undefined;
		/** How long a recorded request stays valid, in milliseconds. */
		validForMs: number;
	};
}

/** A text field of the credential, trimmed; empty if it is missing. */
export type CredentialField = (name: string) => string;

/** One way for the sender to prove its identity: its form, and its check. */
export interface VerificationMethod {
	/** Stored value, label and description in the credential's list of methods. */
	option: INodePropertyOptions;
	/** Shown when the method is selected. */
	fields: INodeProperties[];
	/** Reads the credential. Text says what is missing; every request is then rejected. */
	read(field: CredentialField): Verifier | string;
}
