import { createHmac } from 'crypto';

import { headerText, type Headers } from '../headers';
import { hmacFields, readHmacSettings, type HmacSettings } from './hmacSettings';
import type { Refusal, VerificationMethod } from './method';
import { hasSignature } from './secrets';
import { checkTimestamp } from './timestamp';

export const hmac: VerificationMethod = {
	option: {
		name: 'Signature (HMAC)',
		value: 'hmac',
		description: 'The sender signs each request with the secret. Best choice if available.',
	},
	secret: { label: 'Secret', names: ['secret', 'previousSecret'] },
	below: hmacFields,
	read(field, secrets) {
		const settings = readHmacSettings(field);
		if (typeof settings === 'string') return settings;
		const { signedText, idHeader, toleranceMs } = settings;
		const isTimed = signedText.includes('{timestamp}');
		return {
			secretHeaders: [settings.headerName],
			signature: {
				eventId: (headers) =>
					signedText.includes('{id}') ? headerText(headers, idHeader) : undefined,
				validForMs: isTimed ? 2 * toleranceMs : 0,
			},
			checkBody: (headers, rawBody, nowMs) =>
				checkSignature(headers, rawBody, nowMs, settings, secrets),
		};
	},
};

function checkSignature(
	headers: Headers,
	rawBody: Buffer,
	nowMs: number,
	settings: HmacSettings,
	secrets: readonly string[],
): Refusal {
	const { headerName, signedText, timestampHeader, idHeader } = settings;
	const text = headerText(headers, headerName);
	if (text === undefined) return `it has no signature header "${headerName}"`;
	const { signatures, time } = signaturesIn(text, settings);
	if (signatures.length === 0) {
		return settings.format === 'keyValue'
			? `its header "${headerName}" has no v1= signature`
			: `its signature does not start with "${settings.prefix}"`;
	}

	const timestamp = settings.format === 'keyValue' ? time : headerText(headers, timestampHeader);
	if (signedText.includes('{timestamp}')) {
		if (timestamp === undefined) return `it has no timestamp in "${timestampHeader || headerName}"`;
		const problem = checkTimestamp(timestamp, settings.toleranceMs, nowMs);
		if (problem !== undefined) return problem;
	}
	const id = headerText(headers, idHeader);
	if (signedText.includes('{id}') && id === undefined) return `it has no ID header "${idHeader}"`;

	const signed = fillIn(signedText, { timestamp, id }, rawBody);
	const expected = secrets.map((secret) =>
		createHmac(settings.algorithm, secret).update(signed).digest(settings.encoding),
	);
	return hasSignature(signatures, expected) ? undefined : 'its signature does not match the secret';
}

/** `t=<time>,v1=<signature>,v1=<signature>` or `<prefix><signature>, <prefix><signature>`. */
function signaturesIn(text: string, { format, prefix, encoding }: HmacSettings) {
	const parts = text.split(',').map((part) => part.trim());
	const start = format === 'keyValue' ? 'v1=' : prefix;
	const signatures = parts
		.filter((part) => part.startsWith(start))
		.map((part) => canonical(part.slice(start.length).trim(), encoding));
	return { signatures, time: parts.find((part) => part.startsWith('t='))?.slice(2) };
}

/** In Node.js's spelling: a sender's Base64 may be URL-safe or unpadded. */
function canonical(signature: string, encoding: HmacSettings['encoding']): string {
	if (encoding === 'hex') return signature.toLowerCase();
	const plain = signature.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
	return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
}

/** The signed text. The body stays bytes, because it may not be valid text. */
function fillIn(
	template: string,
	values: { timestamp: string | undefined; id: string | undefined },
	rawBody: Buffer,
): Buffer {
	const parts = template.split(/(\{body\}|\{timestamp\}|\{id\})/);
	return Buffer.concat(
		parts.map((part) => {
			if (part === '{body}') return rawBody;
			if (part === '{timestamp}') return Buffer.from(values.timestamp ?? '');
			return Buffer.from(part === '{id}' ? (values.id ?? '') : part);
		}),
	);
}
