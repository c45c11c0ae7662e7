import type { INodePropertyOptions } from 'n8n-workflow';

import type { Declarations } from '../../../shared/fields/field';
import type { Headers } from '../headers';

/** Why a request is rejected, for the log: never a secret. Undefined if it is accepted. */
export type Refusal = string | undefined;

/** Checks requests with the settings of one credential. */
export interface Verifier {
	/** The secret and, during rotation, the previous one. Never empty. */
	secrets: string[];
	/** Headers that carry the proof; never passed to the workflow. */
	secretHeaders: string[];
	/** Checks the headers alone, before the body is read. */
	checkHeaders?: (headers: Headers) => Refusal;
	/** Checks the body's signature and its age. */
	checkBody?: (headers: Headers, rawBody: Buffer, nowMs: number) => Refusal;
	challenge?: string;
	/**
	 * What is signed besides the body. If undefined, requests are not signed, so anyone who knows the
	 * secret can send anything.
	 */
	signature?: {
		eventId(headers: Headers): string | undefined;
		/** How long a recorded request stays valid, in milliseconds. */
		validForMs: number;
	};
}

/** A text field of the credential, trimmed; empty if missing. */
export type CredentialField = (name: string) => string;

/** The secret and, for its rotation, the previous one. */
export interface SecretField {
	label: string;
	names: [current: string, previous: string];
	about?: string;
	/** If the sender puts the secret itself in a header: one word, or any text. */
	inHeader?: 'word' | 'text';
}

/** One way to verify the sender: its form and its check. */
export interface VerificationMethod {
	option: INodePropertyOptions;
	above?: Declarations;
	secret: SecretField;
	below?: Declarations;
	/** Parses the credential. Returns text if it is incomplete; every request is then rejected. */
	read(field: CredentialField, secrets: string[]): Omit<Verifier, 'secrets'> | string;
}
