import { text } from '../../../shared/fields/text';
import { headerText } from '../headers';
import type { VerificationMethod } from './method';
import { matchesAny, sameSecret } from './secrets';

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
			secretHeaders: ['authorization'],
			challenge: 'Basic realm="Webhook"',
			checkHeaders(headers) {
				const given = headerText(headers, 'authorization');
				const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(given ?? '') ?? [];
				if (encoded === undefined) return 'it has no Basic Authorization header';
				const decoded = Buffer.from(encoded, 'base64').toString('utf8');
				const colon = decoded.indexOf(':');
				if (colon < 0) return 'its Basic Authorization header has no password';
				const rightUser = sameSecret(decoded.slice(0, colon), user);
				const rightPassword = matchesAny(decoded.slice(colon + 1), secrets);
				return rightUser && rightPassword ? undefined : 'its user or password is wrong';
			},
		};
	},
};
