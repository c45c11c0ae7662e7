/** In milliseconds. */
export const MINUTE = 60_000;

/** In milliseconds. */
export const HOUR = 60 * MINUTE;

/** When the simulated days begin. */
export const start = Date.parse('2026-03-02T12:00:00Z');

/** The simulated time. */
export const clock = { now: start };

/** Goes to a moment of the simulated days. */
export function setClock(ms: number) {
	clock.now = ms;
	jest.setSystemTime(clock.now);
}

/** Only what asks for the time sees the simulated days; timers and sockets live in the real time. */
export function stopClock() {
	const real = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;
	const timers = ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] as const;
	jest.useFakeTimers({ now: start, doNotFake: [...real, ...timers, 'clearImmediate'] });
}

/** The time as the service writes it. */
export const iso = (ms: number) => new Date(ms).toISOString();
