import { createHash, timingSafeEqual } from 'crypto';

import type { Declarations } from '../../../shared/fields/field';
import { text } from '../../../shared/fields/text';
import type { CredentialField, SecretField } from './method';

/** A sender that rotates its secret signs with both. More signatures are an attack. */
const MAX_SIGNATURES = 8;

const ABOUT =
	'The secret you agreed on with the service operator. If empty, every request is rejected.';

/** The fields for a secret and for the previous one, which is accepted during rotation. */
export function secretFields({ label, names, about = ABOUT }: SecretField): Declarations {
	const [current, previous] = names;
	const editor = { typeOptions: { password: true } };
	return {
		[current]: text({ label, required: true, about, editor }),
		[previous]: text({
			label: `Previous ${label}`,
			about: "Still accepted while you rotate to the new one. Clear it when you're done.",
			editor,
		}),
	};
}

/** The secrets in use. A previous secret alone is ignored. */
export function secretsOf({ names }: SecretField, field: CredentialField): string[] {
	const [current = '', previous = ''] = names.map(field);
	if (current === '') return [];
	return previous === '' ? [current] : [current, previous];
}

/** Compares with every secret, so that timing does not reveal which one matched. */
export function matchesAny(given: string, secrets: readonly string[]): boolean {
	return secrets.map((secret) => sameSecret(given, secret)).includes(true);
}

/** Whether one of a request's signatures is correct. Both sides use the same spelling. */
export function hasSignature(given: readonly string[], expected: readonly string[]): boolean {
	return given
		.slice(0, MAX_SIGNATURES)
		.map((signature) => matchesAny(signature, expected))
		.includes(true);
}

/** Compares in constant time. Nothing matches an empty secret. */
export function sameSecret(given: string, expected: string): boolean {
	const same = timingSafeEqual(digest(given), digest(expected));
	return same && expected !== '';
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
