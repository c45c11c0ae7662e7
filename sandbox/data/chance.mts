/** What a number is drawn for: the same record draws a different one for each. */
export type Purpose = number;

/** A 32-bit number that depends on nothing but seed, index and purpose: records need no past. */
export function draw(seed: number, index: number, purpose: Purpose): number {
	let mixed = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
	mixed ^= Math.imul(purpose + 1, 0x27d4eb2f);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The same, between 0 (included) and 1 (not). */
export const drawFraction = (seed: number, index: number, purpose: Purpose): number =>
	draw(seed, index, purpose) / 2 ** 32;

/** One of a list that is never empty. */
export function pick<T>(list: readonly [T, ...T[]], drawn: number): T {
	return list[drawn % list.length] ?? list[0];
}
