import { createHmac } from 'crypto';

import {
	checkTimestamp,
	hasMatch,
	headerText,
	type Headers,
	type VerificationMethod,
} from './method';

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
	read(_field, secrets) {
		const keys = secrets.map(keyOf).filter((key) => key !== undefined);
		if (keys.length < secrets.length) {
			return 'the signing secret is not whsec_ followed by Base64';
		}
		return {
			signedId: (headers) => partsOf(headers).id,
			checkBody(headers, rawBody, nowMs) {
				const { id, timestamp, signature } = partsOf(headers);
				if (id === undefined || timestamp === undefined || signature === undefined) {
					return 'it has no webhook-id, webhook-timestamp and webhook-signature headers';
				}
				if (!/^\d{1,13}$/.test(timestamp)) return 'its timestamp is not a time';
				const problem = checkTimestamp(timestamp, nowMs);
				if (problem !== undefined) return problem;
				// `v1,<signature> v1,<signature>`, with a comma between those of two header lines
				const given = signature.split(/,? /).filter((each) => each.startsWith('v1,'));
				const expected = keys.map((key) => {
					const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody);
					return `v1,${signed.digest('base64')}`;
				});
				return hasMatch(given, expected)
					? undefined
					: 'its signature does not match the signing secret';
			},
		};
	},
};

/** By the standard's own header names, or those of Svix, where the standard comes from. */
function partsOf(headers: Headers) {
	const prefix = headerText(headers, 'webhook-id') === undefined ? 'svix' : 'webhook';
	return {
		id: headerText(headers, `${prefix}-id`),
		timestamp: headerText(headers, `${prefix}-timestamp`),
		signature: headerText(headers, `${prefix}-signature`),
	};
}

function keyOf(secret: string): Buffer | undefined {
	const encoded = secret.replace(/^whsec_/, '');
	if (!/^[\w+/-]+={0,2}$/.test(encoded)) return undefined;
	const key = Buffer.from(encoded, 'base64');
	return key.length > 0 ? key : undefined;
}
