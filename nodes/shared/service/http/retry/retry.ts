import { calculateDelay } from './calculateDelay';
import { pause, throwIfStopped } from '../cancellation';
import { ServiceFailure } from '../failure';

const TRANSIENT_STATUSES = new Set([429, 502, 503, 504]);

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
		if (delay === undefined || Date.now() + delay > deadline) throw gaveUp(failure, attempts);
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
		...(retryAfterMs !== undefined && {
			advice: `The service asks to wait ${seconds(retryAfterMs)}. Run it again after that, or raise Retry For Up To (Seconds) under Options`,
		}),
	});
}

function seconds(ms: number): string {
	const whole = Math.ceil(ms / 1000);
	return whole === 1 ? '1 second' : `${whole} seconds`;
}
