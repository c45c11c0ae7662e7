/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110,
 * 10.2.3), which is compared with the service's own clock (`Date`). Undefined if it is missing or
 * invalid.
 *
 * @param now Unix milliseconds, for a service that doesn't say what time it is
 */
export function readRetryAfter(headers: Record<string, unknown>, now: number): number | undefined {
	const header = headers['retry-after'];
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	// A proxy may have joined two headers: "120, 60".
	const [, seconds] = /^(\d{1,12}(?:\.\d+)?)\s*(?:,|$)/.exec(text) ?? [];
	if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
	// A date contains letters; Date.parse would accept "-1".
	if (!/[a-z]/i.test(text)) return undefined;
	const date = Date.parse(text);
	const sentAt = Date.parse(String(headers.date));
	return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(sentAt) ? now : sentAt));
}

/** No one waits longer, such as until a date in the year 2999. */
export const LONGEST_ADVISED_MS = 31 * 86_400_000;

const UNITS = [
	['days', 86_400_000],
	['hours', 3_600_000],
	['minutes', 60_000],
] as const;

/** "90 seconds", "60 minutes": rounded up, so that the wait is long enough. */
export function waitText(ms: number): string {
	const [unit, length] = UNITS.find(([, each]) => ms >= 2 * each) ?? ['seconds', 1000];
	const whole = Math.ceil(ms / length);
	return whole === 1 ? '1 second' : `${whole.toLocaleString('en-US')} ${unit}`;
}
