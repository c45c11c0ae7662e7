import type { INodeProperties } from 'n8n-workflow';

import { fields as form } from '../../../shared/fields/form';
import { isJsonObject } from '../../../shared/service/http/json';
import { basic } from './basic';
import { bearer } from './bearer';
import { header } from './header';
import { hmac } from './hmac';
import type { VerificationMethod, Verifier } from './method';
import { standardWebhooks } from './standardWebhooks';

/** All methods, in the order of the credential's list. */
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
	...METHODS.flatMap(({ option, fields }) =>
		form(fields).properties.map((property) => ({
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
	return method.read((name) => {
		const value = credential[name];
		return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	});
}
