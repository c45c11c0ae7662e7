import type { INodeProperties } from 'n8n-workflow';

import { fields as form } from '../../shared/fields/collection';
import type { Declarations } from '../../shared/fields/field';
import { text } from '../../shared/fields/simpleFields';
import { isJsonObject } from '../../shared/service/json';
import { hmac } from './hmac';
import type { SecretField, VerificationMethod, Verifier } from './method';
import { basic, bearer, header } from './sharedSecret';
import { standardWebhooks } from './standardWebhooks';

const METHODS: VerificationMethod[] = [basic, bearer, header, hmac, standardWebhooks];

/** The credential's form: the choice of a method, then the fields of each. */
export const verificationProperties: INodeProperties[] = [
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: METHODS.map(({ option }) => option),
		default: 'hmac',
		description: 'How the sender proves its identity',
	},
	...METHODS.flatMap(({ option, above, secret, below }) =>
		form({ ...above, ...secretFields(secret), ...below }).properties.map((property) => ({
			...property,
			displayOptions: { show: { ...property.displayOptions?.show, method: [option.value] } },
		})),
	),
];

/** Parses the credential. Returns text if it is incomplete; every request is then rejected. */
export function readVerifier(credential: unknown): Verifier | string {
	if (!isJsonObject(credential)) return 'the webhook credential cannot be read';
	const method = METHODS.find(({ option }) => option.value === credential.method);
	if (!method) return 'the webhook credential has an unknown method';
	const field = (name: string) => {
		const value = credential[name];
		return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	};
	const { label, names } = method.secret;
	const [current = '', previous = ''] = names.map(field);
	if (current === '') return `the webhook credential has no ${label.toLowerCase()}`;
	const secrets = previous === '' ? [current] : [current, previous];
	const read = method.read(field, secrets);
	return typeof read === 'string' ? read : { ...read, secrets };
}

function secretFields({ label, names, about }: SecretField): Declarations {
	const [current, previous] = names;
	const editor = { typeOptions: { password: true } };
	return {
		[current]: text({
			label,
			required: true,
			about:
				about ??
				'The secret you agreed on with the service operator. If empty, every request is rejected.',
			editor,
		}),
		[previous]: text({
			label: `Previous ${label}`,
			about: "Still accepted while you rotate to the new one. Clear it when you're done.",
			editor,
		}),
	};
}
