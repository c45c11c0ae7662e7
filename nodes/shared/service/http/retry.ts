import { pause, throwIfStopped } from './cancellation';
import { ServiceFailure } from './failure';

/** Waits grow from here, doubled each time, up to the longest; the real wait is random below it. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Without a word from the service about waiting, a request is sent so often at most. */
const MAX_ATTEMPTS = 5;

const TRANSIENT_STATUSES = new Set([429, 502, 503, 504]);

export interface RetryRules {
	/** How long all attempts and waits may take together, in milliseconds. */
	budgetMs: number;
	signal: AbortSignal | undefined;
	mayRepeat(failure: ServiceFailure): boolean;
	/** Told of every 429. */
	onThrottled?: (() => void) | undefined;
}

/** Reads change nothing: they are repeated after everything that may pass. */
export function readMayRepeat({ details }: ServiceFailure): boolean {
	const { kind, status = 0, cutOff } = details;
	if (kind === 'unreachable' || kind === 'timeout' || kind === 'interrupted') return true;
	if (kind === 'unreadable') return cutOff === true;
	return kind === 'status' && TRANSIENT_STATUSES.has(status);
}

/** A call dials a person's phone: it is repeated only when nothing can have reached the service. */
export function callMayRepeat({ details }: ServiceFailure): boolean {
	return details.kind === 'unreachable' || (details.kind === 'status' && details.status === 429);
}

/**
 * Does something until it works, cannot be repeated, or the time is up.
 *
 * @throws ServiceFailure the last one, which says how often it was tried
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
		const wait = rules.mayRepeat(failure) ? waitBeforeNext(failure, attempts) : undefined;
		if (wait === undefined || Date.now() + wait > deadline) throw told(failure, attempts);
		await pause(wait, rules.signal);
	}
}

function asFailure(error: unknown): { failure: ServiceFailure } {
	if (error instanceof ServiceFailure) return { failure: error };
	throw error;
}

/** Retry-After wins; else full jitter, so that many clients do not come back at the same moment. */
function waitBeforeNext({ details }: ServiceFailure, attempts: number): number | undefined {
	if (details.retryAfterMs !== undefined) return details.retryAfterMs;
	if (attempts >= MAX_ATTEMPTS) return undefined;
	const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
	return Math.random() * longest;
}

function told(failure: ServiceFailure, attempts: number): ServiceFailure {
	const { retryAfterMs } = failure.details;
	return failure.with({
		...(attempts > 1 && { attempts }),
		...(retryAfterMs !== undefined && {
			advice: `The service asks to wait ${seconds(retryAfterMs)}; run it again after that`,
		}),
	});
}

function seconds(ms: number): string {
	const whole = Math.ceil(ms / 1000);
	return whole === 1 ? '1 second' : `${whole} seconds`;
}
