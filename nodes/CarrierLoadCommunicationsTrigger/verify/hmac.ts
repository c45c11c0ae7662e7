import { createHmac } from 'crypto';

import { choice, text } from '../../shared/fields/simpleFields';
import {
	type CredentialField,
	type Headers,
	type Refusal,
	type VerificationMethod,
	checkTimestamp,
	hasMatch,
	headerText,
	isHeaderName,
	readTolerance,
	toleranceSeconds,
} from './method';

// No default in the form: for two fields of one name, n8n 2.41 shows the default of the last.
const DEFAULT_HEADER = 'X-Signature';

const show = { signatureFormat: ['header'] };

const hmacFields = {
	headerName: text({
		label: 'Header Name',
		example: DEFAULT_HEADER,
		about: `Header that contains the signature; ${DEFAULT_HEADER} if empty`,
	}),
	signatureFormat: choice({
		label: 'Signature Format',
		choices: [
			{
				name: 'Signature Only',
				value: 'header',
				description: 'The header contains the signature, e.g. sha256=5d41…',
			},
			{
				name: 'Time and Signature',
				value: 'keyValue',
				description: 'The header contains both, e.g. t=1767268800,v1=5d41…',
			},
		],
		default: 'header',
		about: 'What the signature header looks like',
	}),
	prefix: text({
		label: 'Signature Prefix',
		default: 'sha256=',
		show,
		about: 'Text before the signature in the header, e.g. sha256=. Leave empty if there is none.',
	}),
	timestampHeader: text({
		label: 'Timestamp Header',
		default: 'X-Timestamp',
		show,
		about:
			'Header with the time the request was sent. Leave empty if the time is not signed; a recorded request can then be sent again later.',
	}),
	signedText: text({
		label: 'Signed Text',
		example: 'v0:{timestamp}:{body}',
		about:
			'What the sender signs. If empty, {timestamp}.{body}, or {body} if there is no timestamp.',
	}),
	idHeader: text({
		label: 'ID Header',
		example: 'X-Event-ID',
		about: 'Header with the event ID, if it is part of the signed text',
	}),
	algorithm: choice({
		label: 'Algorithm',
		choices: [
			{ name: 'SHA-256', value: 'sha256' },
			{ name: 'SHA-512', value: 'sha512' },
		],
		default: 'sha256',
	}),
	encoding: choice({
		label: 'Encoding',
		choices: [
			{ name: 'Base64', value: 'base64' },
			{ name: 'Hexadecimal', value: 'hex' },
		],
		default: 'hex',
	}),
	toleranceSeconds,
};

/** A signature over the body, and usually over a time and an ID, in one of the ways seen in the field. */
export const hmac: VerificationMethod = {
	option: {
		name: 'Signature (HMAC)',
		value: 'hmac',
		description: 'The sender signs each request with the secret. Best choice if available.',
	},
	secret: { label: 'Secret', names: ['secret', 'previousSecret'] },
	below: hmacFields,
	read(field, secrets) {
		const settings = readSettings(field);
		if (typeof settings === 'string') return settings;
		const { signedText, idHeader, toleranceMs } = settings;
		return {
			...(signedText.includes('{id}') && {
				signedId: (headers: Headers) => headerText(headers, idHeader),
			}),
			validForMs: signedText.includes('{timestamp}') ? 2 * toleranceMs : 0,
			checkBody: (headers, rawBody, nowMs) =>
				checkSignature(headers, rawBody, nowMs, settings, secrets),
		};
	},
};

type HmacSettings = Exclude<ReturnType<typeof readSettings>, string>;

/** Returns text if the credential is incomplete. */
function readSettings(field: CredentialField) {
	const isKeyValue = field('signatureFormat') === 'keyValue';
	const encoding: 'base64' | 'hex' = field('encoding') === 'base64' ? 'base64' : 'hex';
	const timestampHeader = isKeyValue ? '' : field('timestampHeader').toLowerCase();
	const isTimed = isKeyValue || timestampHeader !== '';
	const signedText = field('signedText') || (isTimed ? '{timestamp}.{body}' : '{body}');
	const headerName = (field('headerName') || DEFAULT_HEADER).toLowerCase();
	const idHeader = field('idHeader').toLowerCase();
	if (!signedText.includes('{body}')) return 'the signed text does not contain {body}';
	if (signedText.includes('{timestamp}') && !isTimed) {
		return 'the signed text contains {timestamp}, but there is no timestamp header';
	}
	if (signedText.includes('{id}') && idHeader === '') {
		return 'the signed text contains {id}, but there is no ID header';
	}
	const used = {
		'header name': headerName,
		'timestamp header': signedText.includes('{timestamp}') ? timestampHeader : '',
		'ID header': signedText.includes('{id}') ? idHeader : '',
	};
	const misnamed = Object.entries(used).find(([, name]) => !isHeaderName(name));
	if (misnamed) return `the ${misnamed[0]} contains a space, a colon or a forbidden character`;
	return {
		...{ isKeyValue, encoding, headerName, timestampHeader, idHeader, signedText },
		algorithm: field('algorithm') === 'sha512' ? 'sha512' : 'sha256',
		prefix: field('prefix'),
		toleranceMs: readTolerance(field('toleranceSeconds')),
	};
}

function checkSignature(
	headers: Headers,
	rawBody: Buffer,
	nowMs: number,
	settings: HmacSettings,
	secrets: readonly string[],
): Refusal {
	const { isKeyValue, headerName, signedText, timestampHeader, idHeader } = settings;
	const given = headerText(headers, headerName);
	if (given === undefined) return `it has no signature header "${headerName}"`;
	const { signatures, time } = signaturesIn(given, settings);
	if (signatures.length === 0) {
		return isKeyValue
			? `its header "${headerName}" has no v1= signature`
			: `its signature does not start with "${settings.prefix}"`;
	}

	const timestamp = isKeyValue ? time : headerText(headers, timestampHeader);
	if (signedText.includes('{timestamp}')) {
		if (timestamp === undefined) return `it has no timestamp in "${timestampHeader || headerName}"`;
		const problem = checkTimestamp(timestamp, settings.toleranceMs, nowMs);
		if (problem !== undefined) return problem;
	}
	const id = headerText(headers, idHeader);
	if (signedText.includes('{id}') && id === undefined) return `it has no ID header "${idHeader}"`;

	// The body stays bytes, because it may not be valid text.
	const parts = signedText.split(/(\{body\}|\{timestamp\}|\{id\})/).map((part) => {
		if (part === '{body}') return rawBody;
		if (part === '{timestamp}') return Buffer.from(timestamp ?? '');
		return Buffer.from(part === '{id}' ? (id ?? '') : part);
	});
	const signed = Buffer.concat(parts);
	const expected = secrets.map((secret) =>
		createHmac(settings.algorithm, secret).update(signed).digest(settings.encoding),
	);
	return hasMatch(signatures, expected) ? undefined : 'its signature does not match the secret';
}

/** A sender that rotates its secret signs with two. */
const MOST_SIGNATURES = 20;

/** `t=<time>,v1=<signature>,v1=<signature>` or `<prefix><signature>, <prefix><signature>`. */
function signaturesIn(given: string, { isKeyValue, prefix, encoding }: HmacSettings) {
	const parts = given.split(',', MOST_SIGNATURES).map((part) => part.trim());
	const start = isKeyValue ? 'v1=' : prefix;
	const signatures = parts
		.filter((part) => part.startsWith(start))
		.map((part) => part.slice(start.length).trim())
		// A sender's Base64 may be URL-safe or unpadded.
		.map((signature) =>
			encoding === 'hex'
				? signature.toLowerCase()
				: Buffer.from(signature, 'base64').toString('base64'),
		);
	return { signatures, time: parts.find((part) => part.startsWith('t='))?.slice(2) };
}
