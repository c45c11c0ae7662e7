import { createHmac, timingSafeEqual } from 'crypto';

import { headerText, type Headers } from './headers';
import type { HmacVerification } from './settings';
import { readTimestamp } from './timestamp';

/** A header may carry several signatures while the sender replaces its secret. */
const MAX_SIGNATURES = 8;

/**
 * Judges a request's HMAC signature over `<timestamp>.<raw body>`, or over the raw body when no
 * timestamp header is agreed on. Undefined when it is right; else why it is not.
 */
export function judgeSignature(
	headers: Headers,
	rawBody: Buffer,
	settings: HmacVerification,
	nowMs: number,
): string | undefined {
	const { headerName, timestampHeader } = settings;
	const header = headerText(headers, headerName);
	if (header === undefined) return `it has no signature header "${headerName}"`;

	let time = '';
	if (timestampHeader !== '') {
		const sent = headerText(headers, timestampHeader);
		if (sent === undefined) return `it has no timestamp header "${timestampHeader}"`;
		const sentMs = readTimestamp(sent);
		if (sentMs === undefined) return `its timestamp header "${timestampHeader}" is no time`;
		if (Math.abs(nowMs - sentMs) > settings.toleranceMs) {
			return `it was signed ${Math.round((nowMs - sentMs) / 1000)} seconds ago, or a clock is wrong`;
		}
		time = `${sent}.`;
	}
	const signed = Buffer.concat([Buffer.from(time, 'utf8'), rawBody]);
	const candidates = header
		.split(',', MAX_SIGNATURES)
		.map((candidate) => candidate.trim())
		.filter((candidate) => candidate.startsWith(settings.prefix));
	if (candidates.length === 0) return `its signature does not begin with "${settings.prefix}"`;
	const isRight = isSigned(signed, candidates, settings);
	return isRight ? undefined : 'its signature does not match the secret';
}

function isSigned(signed: Buffer, candidates: string[], settings: HmacVerification): boolean {
	const given = candidates.map((candidate) => decode(candidate, settings));
	return settings.secrets
		.map((secret) => createHmac(settings.algorithm, secret).update(signed).digest())
		.flatMap((expected) => given.map((signature) => sameBytes(signature, expected)))
		.includes(true);
}

/** The signature's bytes; empty when the text is not exactly what was agreed on. */
function decode(text: string, { prefix, encoding }: HmacVerification): Buffer {
	const signature = text.slice(prefix.length).trim();
	const bytes = Buffer.from(signature, encoding);
	return bytes.toString(encoding) === canonical(signature, encoding) ? bytes : Buffer.alloc(0);
}

/** How Node.js itself writes the bytes; base64 may come in its URL form and without padding. */
function canonical(signature: string, encoding: HmacVerification['encoding']): string {
	if (encoding === 'hex') return signature.toLowerCase();
	const plain = signature.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
	return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
}

function sameBytes(given: Buffer, expected: Buffer): boolean {
	return given.length === expected.length && timingSafeEqual(given, expected);
}
