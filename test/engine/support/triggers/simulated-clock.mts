/** In milliseconds. */
export const MINUTE = 60_000;

/** In milliseconds. */
export const HOUR = 60 * MINUTE;

/** The start of the simulated time. */
export const start = Date.parse('2026-03-02T12:00:00Z');

/** The simulated time. */
export const clock = { now: start };

/** Sets the simulated time. */
export function setClock(ms: number) {
	clock.now = ms;
	jest.setSystemTime(clock.now);
}

/** Only the current time is simulated; timers and sockets use real time. */
export function stopClock() {
	const real = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;
	const timers = ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] as const;
	jest.useFakeTimers({ now: start, doNotFake: [...real, ...timers, 'clearImmediate'] });
}

/** The time in the service's format. */
export const iso = (ms: number) => new Date(ms).toISOString();
