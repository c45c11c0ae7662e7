import { text } from '../../shared/fields/simpleFields';
import { type VerificationMethod, hasMatch, headerText, isHeaderName } from './method';

// The sender proves who it is with the secret itself, before its body is read.

export const bearer: VerificationMethod = {
	option: {
		name: 'Bearer Token',
		value: 'bearer',
		description: 'The sender puts a token in the Authorization header',
	},
	secret: { label: 'Token', names: ['token', 'previousToken'] },
	read(_field, secrets) {
		if (!/^[\x21-\x7e]+$/.test(secrets[0] ?? '')) {
			return 'the token contains a space, a line break or a letter that a header cannot carry';
		}
		return {
			checkHeaders(headers) {
				const [, token] = /^bearer +(\S+)$/i.exec(headerText(headers, 'authorization') ?? '') ?? [];
				if (token === undefined) return 'it has no bearer token in its Authorization header';
				return hasMatch([token], secrets) ? undefined : 'its bearer token is wrong';
			},
		};
	},
};

const DEFAULT_HEADER = 'X-Webhook-Secret';

export const header: VerificationMethod = {
	option: {
		name: 'Secret in a Header',
		value: 'header',
		description: 'The sender puts the secret itself in a header',
	},
	secret: { label: 'Secret', names: ['secret', 'previousHeaderSecret'] },
	fields: {
		headerName: text({
			label: 'Header Name',
			example: DEFAULT_HEADER,
			about: `Header that contains the secret; ${DEFAULT_HEADER} if empty`,
		}),
	},
	read(field, secrets) {
		const name = (field('headerName') || DEFAULT_HEADER).toLowerCase();
		if (!isHeaderName(name))
			return 'the header name contains a space, a colon or a forbidden character';
		if (!/^[\t\x20-\x7e]+$/.test(secrets[0] ?? '')) {
			return 'the secret contains a line break or a letter that a header cannot carry';
		}
		return {
			checkHeaders(headers) {
				const given = headerText(headers, name);
				if (given === undefined) return `it has no header "${name}"`;
				return hasMatch([given], secrets)
					? undefined
					: `the secret in its header "${name}" is wrong`;
			},
		};
	},
};
