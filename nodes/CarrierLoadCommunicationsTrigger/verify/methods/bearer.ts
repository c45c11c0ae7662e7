import { headerText } from '../headers';
import type { VerificationMethod } from './method';
import { matchesAny } from './secrets';

export const bearer: VerificationMethod = {
	option: {
		name: 'Bearer Token',
		value: 'bearer',
		description: 'The sender puts a token in the Authorization header',
	},
	secret: { label: 'Token', names: ['token', 'previousToken'], inHeader: 'word' },
	read(_field, secrets) {
		return {
			secretHeaders: ['authorization'],
			challenge: 'Bearer',
			checkHeaders(headers) {
				const given = headerText(headers, 'authorization');
				const [, token] = /^bearer +(\S+)$/i.exec(given ?? '') ?? [];
				if (token === undefined) return 'it has no bearer token in its Authorization header';
				return matchesAny(token, secrets) ? undefined : 'its bearer token is wrong';
			},
		};
	},
};
