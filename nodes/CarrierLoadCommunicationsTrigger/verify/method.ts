import { createHash, timingSafeEqual } from 'crypto';
import type { INodePropertyOptions } from 'n8n-workflow';

import { isScalar } from '../../shared/events/event';
import type { Declarations } from '../../shared/fields/field';
import { number } from '../../shared/fields/simpleFields';

/** One way to verify the sender: its form and its check. */
export interface VerificationMethod {
	option: INodePropertyOptions;
	above?: Declarations;
	secret: SecretField;
	below?: Declarations;
	/** Parses the credential. Returns text if it is incomplete; every request is then rejected. */
	read(field: CredentialField, secrets: string[]): Omit<Verifier, 'secrets'> | string;
}

/** The secret and, for its rotation, the previous one. */
export interface SecretField {
	label: string;
	names: [current: string, previous: string];
	about?: string;
}

/** A text field of the credential, trimmed; empty if missing. */
export type CredentialField = (name: string) => string;

/** Checks requests with the settings of one credential. */
export interface Verifier {
	/** The secret and, during rotation, the previous one. Never empty. */
	secrets: string[];
	/** Checks the headers alone, before the body is read. */
	checkHeaders?: (headers: Headers) => Refusal;
	/** Checks the body's signature and its age. */
	checkBody?: (headers: Headers, rawBody: Buffer, nowMs: number) => Refusal;
	/** How the sender must authenticate, for its 401. */
	challenge?: string;
	/** The ID of the event if it is signed; any other header may be changed by who recorded a request. */
	signedId?: (headers: Headers) => string | undefined;
	/** How long a recorded request stays valid. */
	validForMs?: number;
}

/** Why a request is rejected, for the log: never a secret. Undefined if it is accepted. */
export type Refusal = string | undefined;

/** Headers from Node.js: names are lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's trimmed text; undefined if it is missing. */
export function headerText(headers: Headers, name: string): string | undefined {
	if (!Object.hasOwn(headers, name.toLowerCase())) return undefined;
	const value = headers[name.toLowerCase()];
	const text = Array.isArray(value) ? value.join(', ') : value;
	return isScalar(text) ? text.trim() : undefined;
}

/** RFC 9110, 5.1. People paste the secret along: "X-Webhook-Secret: …". */
export function isHeaderName(name: string): boolean {
	return /^[\w!#$%&'*+.^`|~-]*$/.test(name);
}

/** A sender that rotates its secret signs with both. More signatures are an attack. */
const MAX_SIGNATURES = 8;

/** Compares all pairs, each in constant time, so that timing does not reveal which one matched. */
export function hasMatch(given: readonly string[], expected: readonly string[]): boolean {
	return given
		.slice(0, MAX_SIGNATURES)
		.flatMap((text) => expected.map((secret) => isSame(text, secret)))
		.includes(true);
}

/** Nothing matches an empty secret. */
function isSame(given: string, expected: string): boolean {
	return timingSafeEqual(digest(given), digest(expected)) && expected !== '';
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}

const DEFAULT_TOLERANCE_SECONDS = 300;

export const toleranceSeconds = number({
	label: 'Tolerance (Seconds)',
	min: 1,
	default: DEFAULT_TOLERANCE_SECONDS,
	about: 'Maximum age of a request, and maximum clock difference',
});

/** In milliseconds. */
export function readTolerance(text: string): number {
	const seconds = Number(text);
	return (seconds > 0 && seconds < Infinity ? seconds : DEFAULT_TOLERANCE_SECONDS) * 1000;
}

/** Why a timestamp is not accepted; undefined if it is within the tolerance. */
export function checkTimestamp(text: string, toleranceMs: number, nowMs: number): Refusal {
	const sentMs = readTimestamp(text);
	if (sentMs === undefined) return 'its timestamp is not a time';
	const age = nowMs - sentMs;
	if (Math.abs(age) <= toleranceMs) return undefined;
	const seconds = Math.round(Math.abs(age) / 1000);
	return age > 0
		? `its timestamp is ${seconds} seconds old, or a clock is wrong`
		: `its timestamp is ${seconds} seconds in the future, so a clock is wrong`;
}

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;

/** Unix seconds, Unix milliseconds (12 digits or more) or ISO 8601, UTC if it names no zone. */
export function readTimestamp(text: string): number | undefined {
	if (/^\d{1,13}$/.test(text)) return Number(text) * (text.length < 12 ? 1000 : 1);
	const [time, zone] = ISO_8601.exec(text) ?? [];
	const ms = time === undefined ? Number.NaN : Date.parse(zone === undefined ? `${time}Z` : time);
	return Number.isNaN(ms) ? undefined : ms;
}
