import { text } from '../../../shared/fields/text';
import { headerText, misnamedHeader } from '../headers';
import type { VerificationMethod } from './method';
import { matchesAny } from './secrets';

const DEFAULT_HEADER = 'X-Webhook-Secret';

export const header: VerificationMethod = {
	option: {
		name: 'Secret in a Header',
		value: 'header',
		description: 'The sender puts the secret itself in a header',
	},
	secret: {
		...{ label: 'Secret', names: ['secret', 'previousHeaderSecret'] },
		inHeader: 'text',
	},
	below: {
		headerName: text({
			label: 'Header Name',
			example: DEFAULT_HEADER,
			about: `Header that contains the secret; ${DEFAULT_HEADER} if empty`,
		}),
	},
	read(field, secrets) {
		const headerName = (field('headerName') || DEFAULT_HEADER).toLowerCase();
		const misnamed = misnamedHeader([field('headerName')]);
		if (misnamed !== undefined) return misnamed;
		return {
			secretHeaders: [headerName],
			checkHeaders(headers) {
				const given = headerText(headers, headerName);
				if (given === undefined) return `it has no header "${headerName}"`;
				return matchesAny(given, secrets)
					? undefined
					: `the secret in its header "${headerName}" is wrong`;
			},
		};
	},
};
