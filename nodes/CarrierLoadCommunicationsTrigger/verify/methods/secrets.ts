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

/**
 * What is wrong with a secret as it was entered, as a sentence; undefined if nothing is. It is
 * compared without spaces around it, because a header has none.
 *
 * @param which the field's name in words
 */
export function problemOf(
	which: string,
	entered: string,
	{ inHeader }: SecretField,
): string | undefined {
	const secret = entered.trim();
	if (inHeader !== undefined) {
		const what = problemInHeader(secret, inHeader);
		if (what !== undefined) {
			return `The ${which} contains ${what}, so no request can match it. Paste it again, or agree on another one.`;
		}
	}
	if (secret === '' || secret === entered) return undefined;
	return `The ${which} starts or ends with a space or line break, which is ignored when events are checked. Remove it. If it is part of the secret, agree on another one.`;
}

/** Node.js reads headers as Latin-1, and senders write UTF-8. */
function problemInHeader(secret: string, inHeader: 'word' | 'text'): string | undefined {
	if (inHeader === 'word' && /\s/.test(secret)) return 'a space or line break';
	if (/[\r\n]/.test(secret)) return 'a line break';
	return /[^\t\x20-\x7e]/.test(secret)
		? 'characters other than English letters, digits and common symbols (ASCII)'
		: undefined;
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
