import { Duration } from 'luxon';

import { MAX_RETRY_MS } from './contract';
import type { ServiceFailure, FailureDetails } from './failure';

/** Also what content delivery networks answer for a server that is away (520 to 524). */
const TRANSIENT_STATUSES = new Set([429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);
/** The first backoff. It doubles with each attempt, up to the maximum. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
const MAX_ATTEMPTS = 6;

/** Reads change nothing, so they are retried after any temporary failure. */
export function readMayRepeat({ details }: ServiceFailure): boolean {
	const { kind, status = 0, cutOff } = details;
	if (kind === 'unreachable' || kind === 'timeout' || kind === 'interrupted') return true;
	if (kind === 'unreadable') return cutOff === true;
	return kind === 'status' && TRANSIENT_STATUSES.has(status);
}

/** A call rings a real phone: it is sent again only if nothing can have reached the service. */
export function callMayRepeat({ details }: ServiceFailure): boolean {
	return details.kind === 'unreachable' || (details.kind === 'status' && details.status === 429);
}

/**
 * The wait before the next attempt, in milliseconds; undefined if there is none. Full jitter keeps
 * many clients from retrying at the same time. Retry-After can only lengthen the wait:
 * `Retry-After: 0` must not cause a flood of requests.
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

/** No one waits longer, such as until a date in the year 2999. */
const LONGEST_ADVISED_MS = 7 * 86_400_000;

export function gaveUp(failure: ServiceFailure, attempts: number): ServiceFailure {
	const { retryAfterMs: waitMs = Number.POSITIVE_INFINITY } = failure.details;
	const tried = failure.with(attempts > 1 ? { attempts } : {});
	if (waitMs === 0 || waitMs > LONGEST_ADVISED_MS) return tried;
	return tried.with({
		advice: `The service asks to wait ${inWords(waitMs)}. Run it again after that`,
		changes: waitMs <= MAX_RETRY_MS ? { retryFor: 'raise Retry for Up to (Seconds)' } : {},
	});
}

/** "5 hours, 12 minutes", rounded up to whole seconds. */
export function inWords(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return Duration.fromObject({ seconds }, { locale: 'en-US' }).rescale().toHuman();
}
