/** What a random number is for. The same record gets a different number for each stream. */
export type Stream = number;

/** A 32-bit random number that depends only on seed, index and stream. */
export function randomInt(seed: number, index: number, stream: Stream): number {
	let mixed = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
	mixed ^= Math.imul(stream + 1, 0x27d4eb2f);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The same, from 0 (inclusive) to 1 (exclusive). */
export const randomFraction = (seed: number, index: number, stream: Stream): number =>
	randomInt(seed, index, stream) / 2 ** 32;

/** An element of a non-empty list. */
export function pick<T>(list: readonly [T, ...T[]], drawn: number): T {
	return list[drawn % list.length] ?? list[0];
}
