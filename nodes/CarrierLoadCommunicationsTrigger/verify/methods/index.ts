import type { INodeProperties } from 'n8n-workflow';

import { fields as form } from '../../../shared/fields/form';
import { isJsonObject } from '../../../shared/service/http/json';
import { basic } from './basic';
import { bearer } from './bearer';
import { header } from './header';
import { hmac } from './hmac';
import type { VerificationMethod, Verifier } from './method';
import { problemOf, secretFields, secretsOf } from './secrets';
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
	const secrets = secretsOf(method.secret, field);
	if (secrets.length === 0) {
		return `the webhook credential has no ${method.secret.label.toLowerCase()}`;
	}
	const read = method.read(field, secrets);
	return typeof read === 'string' ? read : { ...read, secrets };
}

/** What is wrong with the credential's secrets as they were entered; undefined if nothing is. */
export function problemOfSecrets(credential: unknown): string | undefined {
	if (!isJsonObject(credential)) return undefined;
	const secret = METHODS.find(({ option }) => option.value === credential.method)?.secret;
	if (secret === undefined) return undefined;
	const label = secret.label.toLowerCase();
	const [current, previous] = secret.names.map((name) => String(credential[name] ?? ''));
	return (
		problemOf(label, current ?? '', secret) ??
		problemOf(`previous ${label}`, previous ?? '', secret)
	);
}
