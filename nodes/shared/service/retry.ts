import { LONGEST_ADVISED_MS, waitText } from './answer';
import { pause, throwIfStopped } from './cancellation';
import { ServiceFailure, type FailureDetails } from './failure';

/** Also what content delivery networks answer for a server that is away (520 to 524). */
const TRANSIENT_STATUSES = new Set([429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/** The first backoff. It doubles with each attempt, up to the maximum. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

const MAX_ATTEMPTS = 6;

/** The longest that reads can be told to keep retrying. */
export const MAX_RETRY_MS = 3_600_000;

export interface RetryRules {
	/** Time limit for all attempts and waits together, in milliseconds. */
	budgetMs: number;
	signal: AbortSignal | undefined;
	mayRepeat(failure: ServiceFailure): boolean;
	/** Called for every 429. */
	onThrottled?: (() => void) | undefined;
	/** Called after the wait, before the next attempt; may throw to stop. */
	beforeRepeat?: (() => Promise<void>) | undefined;
}

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
 * Attempts something until it succeeds, can't be retried, or its time is up.
 *
 * @throws ServiceFailure the last failure, with the number of attempts
 */
export async function withRetries<Result>(
	rules: RetryRules,
	attempt: () => Promise<Result>,
): Promise<Result> {
	const deadline = Date.now() + rules.budgetMs;
	for (let attempts = 1; ; attempts++) {
		throwIfStopped(rules.signal);
		const outcome = await attempt().then((result) => ({ result }), asFailure);
		if ('result' in outcome) return outcome.result;
		const { failure } = outcome;
		if (failure.details.status === 429) rules.onThrottled?.();
		const delay = rules.mayRepeat(failure) ? calculateDelay(failure.details, attempts) : undefined;
		const failedAt = Date.now();
		if (delay === undefined || failedAt + delay > deadline) throw gaveUp(failure, attempts);
		await pause(delay, rules.signal);
		await rules.beforeRepeat?.();
	}
}

function asFailure(error: unknown): { failure: ServiceFailure } {
	if (error instanceof ServiceFailure) return { failure: error };
	throw error;
}

function gaveUp(failure: ServiceFailure, attempts: number): ServiceFailure {
	const { retryAfterMs } = failure.details;
	return failure.with({
		...(attempts > 1 && { attempts }),
		...(retryAfterMs !== undefined &&
			retryAfterMs <= LONGEST_ADVISED_MS && {
				advice: `The service asks to wait ${waitText(retryAfterMs)}. Run it again after that`,
				changes:
					retryAfterMs <= MAX_RETRY_MS ? { retryFor: 'raise Retry for Up to (Seconds)' } : {},
			}),
	});
}

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
