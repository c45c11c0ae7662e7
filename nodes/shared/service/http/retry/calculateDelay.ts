import type { FailureDetails } from '../failure';

/** The backoff starts here and doubles with each attempt, up to the maximum. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

const MAX_ATTEMPTS = 6;

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is none.
 *
 * Full jitter, so that many clients don't come back at the same moment. Retry-After can only make
 * the wait longer: a service that answers `Retry-After: 0` for ever must not be hammered.
 *
 * @param attempts how many attempts have failed
 */
export function calculateDelay(
	{ retryAfterMs = 0 }: Pick<FailureDetails, 'retryAfterMs'>,
	attempts: number,
): number | undefined {
	if (attempts >= MAX_ATTEMPTS) return undefined;
	const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
	return Math.max(Math.random() * backoff, retryAfterMs);
}
