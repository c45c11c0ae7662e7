import { createHmac } from 'crypto';

import {
	type VerificationMethod,
	hasMatch,
	checkTimestamp,
	readTolerance,
	toleranceSeconds,
	headerText,
	type Headers,
} from './method';

/** The standard's own header names, and those of Svix, where the standard comes from. */
const PREFIXES = ['webhook', 'svix'];

/** Standard Webhooks 1.0 (standardwebhooks.com): `v1` signatures over `id.timestamp.body`. */
export const standardWebhooks: VerificationMethod = {
	option: {
		name: 'Standard Webhooks',
		value: 'standard',
		description: 'The sender signs each request as in standardwebhooks.com (also Svix)',
	},
	secret: {
		label: 'Signing Secret',
		names: ['signingSecret', 'previousSigningSecret'],
		about:
			'The secret from the service operator, usually starting with whsec_. If empty, every request is rejected.',
	},
	below: { toleranceSeconds },
	read(field, secrets) {
		const keys = secrets.map(keyOf).filter((key) => key !== undefined);
		if (keys.length < secrets.length) {
			return 'the signing secret is not whsec_ followed by Base64';
		}
		const toleranceMs = readTolerance(field('toleranceSeconds'));
		return {
			signedId: (headers) => partsOf(headers)?.id,
			validForMs: 2 * toleranceMs,
			checkBody(headers, rawBody, nowMs) {
				const parts = partsOf(headers);
				if (!parts) return 'it has no webhook-id, webhook-timestamp and webhook-signature headers';
				if (!/^\d{1,13}$/.test(parts.timestamp)) return 'its timestamp is not a time';
				const problem = checkTimestamp(parts.timestamp, toleranceMs, nowMs);
				if (problem !== undefined) return problem;
				const given = signaturesIn(parts.signature);
				const expected = keys.map((key) =>
					createHmac('sha256', key)
						.update(`${parts.id}.${parts.timestamp}.`)
						.update(rawBody)
						.digest('base64'),
				);
				return hasMatch(given, expected)
					? undefined
					: 'its signature does not match the signing secret';
			},
		};
	},
};

function partsOf(headers: Headers) {
	for (const prefix of PREFIXES) {
		const id = headerText(headers, `${prefix}-id`);
		const timestamp = headerText(headers, `${prefix}-timestamp`);
		const signature = headerText(headers, `${prefix}-signature`);
		if (id !== undefined && timestamp !== undefined && signature !== undefined) {
			return { id, timestamp, signature };
		}
	}
	return undefined;
}

function keyOf(secret: string): Buffer | undefined {
	const encoded = secret.replace(/^whsec_/, '');
	if (!/^[\w+/-]+={0,2}$/.test(encoded)) return undefined;
	const key = Buffer.from(encoded, 'base64');
	return key.length > 0 ? key : undefined;
}

/** `v1,<signature> v1,<signature>`, with a comma between those of two header lines. */
function signaturesIn(text: string): string[] {
	return text
		.split(/,? /)
		.filter((each) => each.startsWith('v1,'))
		.map((each) => each.slice('v1,'.length));
}
