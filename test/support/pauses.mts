import { waitUntil } from './wait-until.mts';

/**
 * Lets pauses of exactly this length end at once, until mocks are restored.
 *
 * @param ms a length that nothing else pauses for
 * @param state asked when such a pause begins
 * @returns what `state` said at each pause; grows
 */
export function notePauses<State>(ms: number, state: () => State): State[] {
	const states: State[] = [];
	const real = globalThis.setTimeout;
	const noting = (callback: () => void, delay?: number, ...rest: []) => {
		if (delay !== ms) return real(callback, delay, ...rest);
		states.push(state());
		return real(callback, 0, ...rest);
	};
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(noting as typeof setTimeout);
	return states;
}

/**
 * Skips pauses of exactly these lengths: they end at once, and `Date.now` shows the time at which they would have ended.
 * Lasts until mocks are restored.
 *
 * @param lengths in milliseconds; lengths that nothing else pauses for
 */
export function skipPauses(...lengths: number[]): void {
	const { setTimeout: real } = globalThis;
	const now = Date.now.bind(Date);
	let skipped = 0;
	const skipping = (callback: () => void, delay = 0) => {
		if (!lengths.includes(delay)) return real(callback, delay);
		const end = Date.now() + delay;
		return real(() => {
			skipped = Math.max(skipped, end - now());
			callback();
		}, 0);
	};
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(skipping as typeof setTimeout);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + skipped);
}

/** Waits until a pause of this length begins; the pause is not shortened. Lasts until mocks are restored. */
export async function pauseOf(ms: number): Promise<void> {
	const timers = jest.spyOn(globalThis, 'setTimeout');
	await waitUntil(`a pause of ${ms} ms`, () => timers.mock.calls.some(([, delay]) => delay === ms));
}

/**
 * Makes the random pauses between attempts as short as they can be by chance, until mocks are
 * restored: for tests that count attempts.
 */
export function shortBackoffs(): void {
	jest.spyOn(Math, 'random').mockReturnValue(0.01);
}
