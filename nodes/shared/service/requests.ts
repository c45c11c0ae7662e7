import { Duration } from 'luxon';

import { readJsonObject, servedAt } from './answer';
import { MAX_RETRY_MS, type ServiceRequest } from './contract';
import type { Connection } from './credential';
import { exchange, pause, throwIfStopped } from './exchange';
import { passingFailure, ServiceFailure, type FailureDetails } from './failure';

/** Also what content delivery networks answer for a server that is away (520 to 524). */
const TRANSIENT_STATUSES = new Set([429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/** The first backoff. It doubles with each attempt, up to the maximum. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

const MAX_ATTEMPTS = 6;

export interface RetryRules {
	mayRepeat(failure: ServiceFailure): boolean;
	/** Called for every 429. */
	onThrottled?: (() => void) | undefined;
	/** Called after the wait, before the next attempt; may throw to stop. */
	beforeRepeat?: (() => Promise<void>) | undefined;
}

/** Sends a request, and again if the rules allow it. @returns the data, what time it was for the service, and its length */
export async function send(connection: Connection, request: ServiceRequest, rules: RetryRules) {
	return await withRetries(connection, rules, async () => {
		const answer = await exchange(connection, request);
		const body = readJsonObject(answer, request, connection.redaction);
		return { body, servedAt: servedAt(answer.headers), length: answer.text.length };
	});
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
 * Attempts something until it succeeds, can't be retried, or the time for all attempts is up.
 *
 * @throws ServiceFailure the last failure, with the number of attempts
 */
export async function withRetries<Result>(
	{ retryBudgetMs, signal }: Pick<Connection, 'retryBudgetMs' | 'signal'>,
	rules: RetryRules,
	attempt: () => Promise<Result>,
): Promise<Result> {
	const deadline = Date.now() + retryBudgetMs;
	for (let attempts = 1; ; attempts++) {
		throwIfStopped(signal);
		try {
			return await attempt();
		} catch (error) {
			const failure = passingFailure(error);
			const { details } = failure;
			if (details.status === 429) rules.onThrottled?.();
			const delay = rules.mayRepeat(failure) ? calculateDelay(details, attempts) : undefined;
			if (delay === undefined || Date.now() + delay > deadline) throw gaveUp(failure, attempts);
			await pause(delay, signal);
			await rules.beforeRepeat?.();
		}
	}
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

/** No one waits longer, such as until a date in the year 2999. */
const LONGEST_ADVISED_MS = 7 * 86_400_000;

function gaveUp(failure: ServiceFailure, attempts: number): ServiceFailure {
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
