import { createHash, timingSafeEqual } from 'crypto';
import type { INodePropertyOptions } from 'n8n-workflow';

import { isScalar } from '../../shared/events/event';
import type { Declarations } from '../../shared/fields/fieldTypes';
import { readTime } from '../../shared/service/record';

export interface VerificationMethod {
	option: INodePropertyOptions;
	/** The secret and, for its rotation, the previous one. */
	secret: { label: string; names: [current: string, previous: string]; about?: string };
	fields?: Declarations;
	/** Returns text if the credential is incomplete. @param field one of its text fields, trimmed */
	read(field: (name: string) => string, secrets: string[]): Omit<Verifier, 'secrets'> | string;
}

export interface Verifier {
	/** The secret and, during rotation, the previous one. Never empty. */
	secrets: string[];
	/** Checks the headers alone, before the body is read. */
	checkHeaders?: (headers: Headers) => Refusal;
	/** Checks the body's signature and its age. */
	checkBody?: (headers: Headers, rawBody: Buffer, nowMs: number) => Refusal;
	/** The ID of the event if it is signed; any other header may be changed by who recorded a request. */
	signedId?: (headers: Headers) => string | undefined;
}

/** Why a request is rejected, for the log: never a secret. Undefined if it is accepted. */
export type Refusal = string | undefined;

/** Headers from Node.js: names are lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

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

/** How old a signed request may be, and how far the clocks may differ: as in Standard Webhooks. */
const TOLERANCE_MS = 5 * 60 * 1000;
/** No time is longer. */
const MAX_TIME_LENGTH = 40;

/** Why a timestamp (Unix or ISO 8601, UTC if it names no zone) is not accepted. */
export function checkTimestamp(text: string, nowMs: number): Refusal {
	const sentMs = text.length > MAX_TIME_LENGTH ? undefined : readTime(text)?.ms;
	if (sentMs === undefined) return 'its timestamp is not a time';
	const age = nowMs - sentMs;
	if (Math.abs(age) <= TOLERANCE_MS) return undefined;
	const seconds = Math.round(Math.abs(age) / 1000);
	return age > 0
		? `its timestamp is ${seconds} seconds old, or a clock is wrong`
		: `its timestamp is ${seconds} seconds in the future, so a clock is wrong`;
}
