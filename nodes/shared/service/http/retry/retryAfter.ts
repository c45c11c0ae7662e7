/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110,
 * 10.2.3). Undefined if it is missing or invalid.
 *
 * @param now Unix milliseconds
 */
export function readRetryAfter(headers: Record<string, unknown>, now: number): number | undefined {
	const header = headers['retry-after'];
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// A date contains letters; Date.parse would accept "-1".
	if (!/[a-z]/i.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
