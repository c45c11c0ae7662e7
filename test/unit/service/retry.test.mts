import { shortBackoffs, skipPauses } from '../../support/pauses.mts';
import { ServiceFailure, type FailureDetails } from '../../../nodes/shared/service/failure.ts';
import { readRetryAfter } from '../../../nodes/shared/service/answerFailure.ts';
import { withRetries } from '../../../nodes/shared/service/requests.ts';
import {
	calculateDelay,
	callMayRepeat,
	readMayRepeat,
} from '../../../nodes/shared/service/retry.ts';

const failure = (details: Partial<FailureDetails>) =>
	new ServiceFailure({ kind: 'status', what: 'It failed', ...details });

describe('Retry-After', () => {
	const now = Date.parse('2026-03-01T12:00:00Z');
	const read = (value: unknown) => readRetryAfter({ 'retry-after': value }, now);

	it.each([
		['0', 0],
		['7', 7000],
		[' 7 ', 7000],
		['1.5', 1500],
		[7, 7000],
		[['3', '9'], 3000],
		['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
		['Sun, 01 Mar 2026 11:00:00 GMT', 0],
	])('%j means %i ms', (value, ms) => expect(read(value)).toBe(ms));

	it.each([
		['120, 60', 120_000],
		['1, Sun', 1000],
	])('%j, two headers that a proxy joined, means %i ms', (value, ms) =>
		expect(read(value)).toBe(ms),
	);

	it.each([-3600, 0, 3600])(
		'a date is compared with the clock of the service, which is %i seconds ahead',
		(ahead) => {
			const at = (ms: number) => new Date(now + 1000 * ahead + ms).toUTCString();
			const headers = { 'retry-after': at(30_000), date: at(0) };
			expect(readRetryAfter(headers, now)).toBe(30_000);
		},
	);

	it.each([undefined, null, '', 'soon', '-5', '1e3', {}, '9'.repeat(400)])(
		'%j means nothing',
		(value) => expect(read(value)).toBeUndefined(),
	);
});

describe('what can be repeated', () => {
	it.each<[Partial<FailureDetails>, boolean, boolean]>([
		[{ kind: 'unreachable' }, true, true],
		[{ status: 429 }, true, true],
		[{ status: 502 }, true, false],
		[{ status: 503 }, true, false],
		[{ status: 504 }, true, false],
		[{ status: 500 }, true, false],
		[{ status: 522 }, true, false],
		[{ status: 501 }, false, false],
		[{ status: 408 }, false, false],
		[{ status: 400 }, false, false],
		[{ status: 302 }, false, false],
		[{ kind: 'timeout' }, true, false],
		[{ kind: 'interrupted' }, true, false],
		[{ kind: 'unreadable', cutOff: true }, true, false],
		[{ kind: 'unreadable' }, false, false],
		[{ kind: 'tls' }, false, false],
		[{ kind: 'configuration' }, false, false],
		[{ kind: 'cancelled' }, false, false],
	])('after %j: a read %s, a call %s', (details, read, call) => {
		expect(readMayRepeat(failure(details))).toBe(read);
		expect(callMayRepeat(failure(details))).toBe(call);
	});

	it('repeats a call only when it was certainly not placed', () => {
		const kinds = [
			'unreachable',
			'tls',
			'timeout',
			'interrupted',
			'unreadable',
			'cancelled',
		] as const;
		const statuses = Array.from({ length: 500 }, (_, index) => ({ status: 100 + index }));
		for (const details of [...kinds.map((kind) => ({ kind })), ...statuses]) {
			if (callMayRepeat(failure(details))) expect(failure(details).nothingHappened).toBe(true);
		}
	});

	it.each([303, 302, 301, 300, 304, 408, 499, 500, 502, 200])(
		'status %i means that a call may have been placed',
		(status) => expect(failure({ status }).nothingHappened).toBe(false),
	);
});

describe('the delay before the next attempt', () => {
	afterEach(() => jest.restoreAllMocks());

	it.each([0, 0.5, 0.999])(
		'grows with full jitter, even if Retry-After is shorter (%d)',
		(drawn) => {
			jest.spyOn(Math, 'random').mockReturnValue(drawn);
			for (const retryAfterMs of [undefined, 0]) {
				const delays = [1, 2, 3, 4, 5].map((attempts) =>
					calculateDelay({ retryAfterMs }, attempts),
				);
				expect(delays).toEqual([500, 1000, 2000, 4000, 8000].map((longest) => drawn * longest));
			}
		},
	);

	it('is at least what Retry-After asks', () => {
		for (const attempts of [1, 2, 3, 4, 5]) {
			expect(calculateDelay({ retryAfterMs: 60_000 }, attempts)).toBe(60_000);
		}
	});

	it('ends after six attempts, regardless of Retry-After', () => {
		expect(calculateDelay({ retryAfterMs: 0 }, 6)).toBeUndefined();
		expect(calculateDelay({ retryAfterMs: 1000 }, 6)).toBeUndefined();
	});
});

describe('repeating', () => {
	afterEach(() => jest.restoreAllMocks());

	const limits = { retryBudgetMs: 10_000, signal: undefined };
	const rules = { mayRepeat: () => true };

	it('returns the first result', async () => {
		shortBackoffs();
		let attempts = 0;
		const result = await withRetries(limits, rules, async () => {
			if (++attempts < 3) throw failure({ retryAfterMs: 0 });
			return 'done';
		});
		expect([result, attempts]).toEqual(['done', 3]);
	});

	it('ends when the time is up, also if attempts are left', async () => {
		let attempts = 0;
		skipPauses(600);
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const trying = withRetries({ ...limits, retryBudgetMs: 2000 }, rules, async () => {
			attempts++;
			throw failure({ retryAfterMs: 600 });
		});
		await expect(trying).rejects.toThrow('It failed');
		// At 0, 600, 1200 and 1800 ms; on a busy machine, one fewer.
		expect(attempts).toBeGreaterThan(2);
		expect(attempts).toBeLessThanOrEqual(4);
	});

	it('does not begin when the user has pressed Stop', async () => {
		const signal = AbortSignal.abort();
		const trying = withRetries({ ...limits, signal }, rules, async () => {
			throw new Error('It began');
		});
		await expect(trying).rejects.toMatchObject({
			details: { kind: 'cancelled', nothingSent: true },
			nothingHappened: true,
		});
	});

	it('does not repeat anything but service failures', async () => {
		const bug = new TypeError('x is not a function');
		await expect(
			withRetries(limits, rules, async () => {
				throw bug;
			}),
		).rejects.toBe(bug);
	});
});
