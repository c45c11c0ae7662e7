import type { FailureDetails } from '../failure';

/** The first backoff. It doubles with each attempt, up to the maximum. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

const MAX_ATTEMPTS = 6;

/**
 * The wait before the next attempt, in milliseconds; undefined if there is none. Full jitter keeps
 * many clients from retrying at the same time. Retry-After can only lengthen the wait:
 * `Retry-After: 0` must not cause a flood of requests.
 *
 * @param attempts number of failed attempts
 */
export function calculateDelay(
	{ retryAfterMs = 0 }: Pick<FailureDetails, 'retryAfterMs'>,
	attempts: number,
): number | undefined {
	if (attempts >= MAX_ATTEMPTS) return undefined;
	const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
	return Math.max(Math.random() * backoff, retryAfterMs);
}
