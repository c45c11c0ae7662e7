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
			challenge: 'Bearer',
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
	below: {
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

/** HTTP Basic Authentication (RFC 7617). */
export const basic: VerificationMethod = {
	option: {
		name: 'Basic Auth',
		value: 'basic',
		description: 'The sender signs in with a user name and password',
	},
	above: { user: text({ label: 'User', required: true }) },
	secret: {
		label: 'Password',
		names: ['password', 'previousPassword'],
		about: 'The password you agreed on. If empty, every request is rejected.',
	},
	read(field, secrets) {
		const user = field('user');
		if (user === '') return 'the webhook credential has no user';
		if (user.includes(':')) {
			return 'the user contains a colon, which would end the user name in a request';
		}
		return {
			challenge: 'Basic realm="Webhook"',
			checkHeaders(headers) {
				const given = headerText(headers, 'authorization') ?? '';
				const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(given) ?? [];
				if (encoded === undefined) return 'it has no Basic Authorization header';
				const decoded = Buffer.from(encoded, 'base64').toString('utf8');
				const signIns = secrets.map((password) => `${user}:${password}`);
				return hasMatch([decoded], signIns) ? undefined : 'its user or password is wrong';
			},
		};
	},
};
