import { readJsonObject } from './answer';
import type { Connection } from './connection';
import type { ServiceRequest } from './contract';
import { servedAt, exchange, throwIfStopped } from './exchange';
import { passingFailure, type ServiceFailure } from './failure';
import { pause } from './pause';
import { calculateDelay, gaveUp } from './retry';

export interface RetryRules {
	mayRepeat(failure: ServiceFailure): boolean;
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

/** Attempts something until it can't be retried or time is up. @throws ServiceFailure the last failure */
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
