import { createHmac } from 'crypto';

import { text } from '../../shared/fields/simpleFields';
import { checkTimestamp, hasMatch, headerText, isHeaderName } from './method';
import type { Headers, VerificationMethod } from './method';

// No default in the form: for two fields of one name, n8n 2.41 shows the default of the last.
const DEFAULT_HEADER = 'X-Signature';

/** A signature over the body, and usually over a time, in one of the ways seen in the field. */
export const hmac: VerificationMethod = {
	option: {
		name: 'Signature (HMAC)',
		value: 'hmac',
		description: 'The sender signs each request with the secret. Best choice if available.',
	},
	secret: { label: 'Secret', names: ['secret', 'previousSecret'] },
	fields: {
		headerName: text({
			label: 'Header Name',
			example: DEFAULT_HEADER,
			about: `Header that contains the signature; ${DEFAULT_HEADER} if empty`,
		}),
		prefix: text({
			label: 'Signature Prefix',
			default: 'sha256=',
			about:
				'Text before the signature in the header, e.g. sha256=. Leave empty if there is none. If the header is like t=1767268800,v1=5d41…, enter v1=.',
		}),
		timestampHeader: text({
			label: 'Timestamp Header',
			default: 'X-Timestamp',
			about:
				'Header with the time the request was sent, unless the signature header has it. Leave empty if the time is not signed; a recorded request can then be sent again later.',
		}),
		signedText: text({
			label: 'Signed Text',
			example: 'v0:{timestamp}:{body}',
			about:
				'What the sender signs. If empty, {timestamp}.{body}, or {body} if there is no timestamp.',
		}),
	},
	read(field, secrets) {
		const prefix = field('prefix');
		const headerName = (field('headerName') || DEFAULT_HEADER).toLowerCase();
		const timestampHeader = field('timestampHeader').toLowerCase();
		const hasTime = prefix === 'v1=' || timestampHeader !== '';
		const signedText = field('signedText') || (hasTime ? '{timestamp}.{body}' : '{body}');
		const isTimed = signedText.includes('{timestamp}');
		if (!signedText.includes('{body}')) return 'the signed text does not contain {body}';
		if (isTimed && !hasTime) {
			return 'the signed text contains {timestamp}, but there is no timestamp header';
		}
		if (!isHeaderName(headerName)) return 'the header name contains a space, a colon or the like';
		if (isTimed && !isHeaderName(timestampHeader)) {
			return 'the timestamp header contains a space, a colon or the like';
		}
		return {
			checkBody(headers, rawBody, nowMs) {
				const given = headerText(headers, headerName);
				if (given === undefined) return `it has no signature header "${headerName}"`;
				// `<prefix><signature>, <prefix><signature>` or `t=<time>,v1=<signature>,v1=<signature>`
				const parts = given.split(',', 20).map((part) => part.trim());
				const signatures = parts
					.filter((part) => part.startsWith(prefix))
					.map((part) => part.slice(prefix.length).trim());
				if (signatures.length === 0) return `its signature does not start with "${prefix}"`;
				const time =
					parts.find((part) => part.startsWith('t='))?.slice(2) ??
					headerText(headers, timestampHeader);
				if (isTimed) {
					if (time === undefined)
						return `it has no timestamp in "${timestampHeader || headerName}"`;
					const problem = checkTimestamp(time, nowMs);
					if (problem !== undefined) return problem;
				}
				// The body stays bytes, because it may not be valid text.
				const signed = signedText.split(/(\{body\}|\{timestamp\})/).map((part) => {
					if (part === '{body}') return rawBody;
					return Buffer.from(part === '{timestamp}' ? (time ?? '') : part);
				});
				const digests = secrets.map((secret) =>
					createHmac('sha256', secret).update(Buffer.concat(signed)).digest(),
				);
				// A sender's Base64 may be URL-safe or unpadded.
				const asBase64 = signatures.map((text) => Buffer.from(text, 'base64').toString('base64'));
				const asHex = signatures.map((text) => text.toLowerCase());
				const hex = digests.map((digest) => digest.toString('hex'));
				const base64 = digests.map((digest) => digest.toString('base64'));
				const isSigned = hasMatch(asHex, hex) || hasMatch(asBase64, base64);
				return isSigned ? undefined : 'its signature does not match the secret';
			},
		};
	},
};

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
