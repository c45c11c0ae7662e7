import { createHash, timingSafeEqual } from 'crypto';

/**
 * Whether two texts are the same, in a time that tells nothing about either. An empty expectation
 * is met by nothing: a secret that was never entered must not let anybody in.
 */
export function sameSecret(given: string, expected: string): boolean {
	const same = timingSafeEqual(digest(given), digest(expected));
	return same && expected !== '';
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
