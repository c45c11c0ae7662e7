import { createHash, timingSafeEqual } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

interface SecretFieldOptions {
	displayName: string;
	name: string;
	description?: string;
}

/** A secret and its predecessor, which is accepted until rotation is done. */
export function secretFields(current: SecretFieldOptions, previous: string): INodeProperties[] {
	const password: Pick<INodeProperties, 'type' | 'typeOptions' | 'default'> = {
		type: 'string',
		typeOptions: { password: true },
		default: '',
	};
	return [
		{
			...current,
			...password,
			required: true,
			description:
				current.description ??
				'The secret you agreed on with the service operator. If empty, every request is rejected.',
		},
		{
			...password,
			displayName: `Previous ${current.displayName}`,
			name: previous,
			description: "Still accepted while you rotate to the new one. Clear it when you're done.",
		},
	];
}

/** The secrets that are set; the previous one alone does not count. */
export function secretsOf(current: string, previous: string): string[] {
	if (current === '') return [];
	return previous === '' ? [current] : [current, previous];
}

/** Compares with every secret, so that timing does not reveal which one matched. */
export function matchesAny(given: string, secrets: readonly string[]): boolean {
	return secrets.map((secret) => sameSecret(given, secret)).includes(true);
}

/** Whether one of the signatures in a request is right, both written in the same way. */
export function hasSignature(given: readonly string[], expected: readonly string[]): boolean {
	return given.map((signature) => matchesAny(signature, expected)).includes(true);
}

/**
 * Whether two texts are equal, in constant time. Nothing equals an empty secret: one that was never
 * entered must not let anyone in.
 */
export function sameSecret(given: string, expected: string): boolean {
	const same = timingSafeEqual(digest(given), digest(expected));
	return same && expected !== '';
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
