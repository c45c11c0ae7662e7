import { waitUntil } from './wait-until.mts';

/**
 * Skips pauses of exactly these lengths: they end immediately, and `Date.now` shows when they would have ended (`new
 * Date()` doesn't). Lasts until mocks are restored.
 *
 * @param lengths in milliseconds; lengths that nothing else pauses for
 */
export function skipPauses(...lengths: number[]): void {
	skip(lengths, () => undefined);
}

function skip(lengths: readonly number[], onPause: () => unknown): void {
	const real = implementation(globalThis.setTimeout);
	const now = implementation(Date.now);
	let skipped = 0;
	const skipping = (callback: () => void, delay = 0, ...rest: []) => {
		if (!lengths.includes(delay)) return real(callback, delay, ...rest);
		onPause();
		const end = Date.now() + delay;
		return real(() => {
			skipped = Math.max(skipped, end - now());
			callback();
		}, 0);
	};
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(skipping as typeof setTimeout);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + skipped);
}

/** What a function does, also if it is mocked: a mock that replaces another calls itself otherwise. */
function implementation<Mocked extends typeof setTimeout | typeof Date.now>(
	mocked: Mocked,
): Mocked {
	return jest.isMockFunction(mocked)
		? ((mocked.getMockImplementation() as Mocked) ?? mocked)
		: mocked;
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
