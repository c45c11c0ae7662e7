import { choice } from '../../../shared/fields/choice';
import { text } from '../../../shared/fields/text';
import { misnamedHeader } from '../headers';
import type { CredentialField } from './method';
import { readTolerance, toleranceSeconds } from './timestamp';

// No default in the form: for two fields of one name, n8n 2.41 shows the default of the last.
const DEFAULT_HEADER = 'X-Signature';

const show = { signatureFormat: ['header'] };

export const hmacFields = {
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

export type HmacSettings = Exclude<ReturnType<typeof readHmacSettings>, string>;

/** Parses the HMAC part of the credential. Returns text if it is incomplete. */
export function readHmacSettings(field: CredentialField) {
	const format: 'keyValue' | 'header' =
		field('signatureFormat') === 'keyValue' ? 'keyValue' : 'header';
	const encoding: 'base64' | 'hex' = field('encoding') === 'base64' ? 'base64' : 'hex';
	const timestampHeader = format === 'header' ? field('timestampHeader').toLowerCase() : '';
	const isTimed = format === 'keyValue' || timestampHeader !== '';
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
	const misnamed = misnamedHeader([
		field('headerName'),
		signedText.includes('{timestamp}') && timestampHeader ? field('timestampHeader') : '',
		signedText.includes('{id}') ? field('idHeader') : '',
	]);
	if (misnamed !== undefined) return misnamed;
	return {
		...{ format, encoding, headerName, timestampHeader, idHeader, signedText },
		algorithm: field('algorithm') === 'sha512' ? 'sha512' : 'sha256',
		prefix: field('prefix'),
		toleranceMs: readTolerance(field('toleranceSeconds')),
	};
}
