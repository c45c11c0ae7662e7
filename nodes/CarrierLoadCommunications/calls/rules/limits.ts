import { Duration } from 'luxon';

import type { ServiceClient } from '../../../shared/service/client';
import type { PlannedCall, Refusal } from '../call';
import { CallList, isInTime } from '../callList';
import { hasId, hasOtherExtension, otherCalls } from '../memory';
import { matchNumber } from '../phone';

/** How many calls a node may place in any 60 minutes and 24 hours; undefined for no limit. */
export interface Limits {
	perHour?: number | undefined;
	perDay?: number | undefined;
	/** How often anyone may call one number in any 24 hours. */
	perNumber?: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The limiters of all nodes. Each worker counts its own calls, and starts over after a restart. */
const limiters = new Map<string, CallLimiter>();

/** Stops a node that has run away, such as a loop that never ends: counts its calls in this process. */
export class CallLimiter {
	/** When each counted call was placed (Unix milliseconds), by its key; the oldest first. */
	private constructor(private readonly calls = new Map<string, number>()) {}

	static of(node: string): CallLimiter {
		const limiter = limiters.get(node) ?? new CallLimiter();
		limiters.set(node, limiter);
		return limiter;
	}

	/** Calls counted in the copy don't count here. */
	copy(): CallLimiter {
		return new CallLimiter(new Map(this.calls));
	}

	/** Counts a call, or says why it may not be placed now. */
	take(key: string, { perHour, perDay }: Limits, now: number): Refusal | undefined {
		for (const [each, at] of this.calls) if (at <= now - DAY_MS) this.calls.delete(each);
		const refusal =
			this.refusal('Max Calls per Hour', perHour, HOUR_MS, now) ??
			this.refusal('Max Calls per Day', perDay, DAY_MS, now);
		if (refusal === undefined) this.calls.set(key, now);
		return refusal;
	}

	/** No call was placed. */
	release(key: string): void {
		this.calls.delete(key);
	}

	private refusal(
		rule: string,
		most: number | undefined,
		windowMs: number,
		now: number,
	): Refusal | undefined {
		if (most === undefined) return undefined;
		const recent = [...this.calls.values()].filter((at) => at > now - windowMs);
		if (recent.length < most) return undefined;
		const next = (recent.at(-most) ?? now) + windowMs;
		const nextAllowedAt = new Date(next).toISOString();
		const window = windowMs === HOUR_MS ? 'hour' : 'day';
		return {
			reason: `This node has reached its limit of ${most} ${most === 1 ? 'call' : 'calls'} per ${window}`,
			advice: `The next call may be placed in ${inWords(next - now)} (nextAllowedAt: ${nextAllowedAt}), or raise ${rule} (Safety)`,
			nextAllowedAt,
		};
	}
}

/** When a number was called (Unix milliseconds). */
export interface TimesCalled {
	times: number[];
	/** How many of them are calls whose number the list hides: they may be to another one. */
	hidden: number;
}

/**
 * When a call's number was called in the last 24 hours: by anyone, as the call
 * list shows, and by this process if the list doesn't show it yet. Must run while this process places
 * no other call to the number.
 *
 * @param isLate whether calls that were listed right now count, because this one had to wait
 * @throws CallProblem if the list can't be read to its end; ServiceFailure
 */
export async function timesCalled(
	client: ServiceClient,
	call: PlannedCall,
	isLate: boolean,
): Promise<TimesCalled> {
	const { toPhone, identity } = call;
	const now = Date.now();
	const since = now - DAY_MS;
	const orElse = 'remove Max Calls per Person per Day (Safety)';
	const recent = await CallList.of(client).recentTo(client, {
		...{ phone: toPhone, since, isLate, orElse },
	});
	// A number that can't be read may be this one.
	const listed = recent.filter((each) => matchNumber(toPhone, each.toPhone) !== 'other');
	const hidden = listed.filter((each) => matchNumber(toPhone, each.toPhone) === 'unclear');
	const own = otherCalls(call).filter(
		(other) =>
			other.account === identity.account && other.from >= since && !hasOtherExtension(call, other),
	);
	const others = new Set(listed.filter(({ id }) => !own.some((known) => hasId(known, id))));
	const unlisted = own.filter((known) => {
		if (known.row) return !listed.some(({ id }) => hasId(known, id));
		const its = [...others].find(({ placedAt }) => isInTime(placedAt, known));
		return its === undefined || !others.delete(its);
	});
	const times = [
		...listed.map(({ placedAt = now }) => placedAt),
		...unlisted.map(({ from }) => from),
	];
	return { times, hidden: hidden.length };
}

/** Why a number may not be called now that it was called at these times; undefined if it may be. */
export function refuseNumber(
	{ perNumber: most }: Limits,
	{ times, hidden }: TimesCalled,
): Refusal | undefined {
	if (most === undefined || times.length < most) return undefined;
	const now = Date.now();
	const sorted = [...times].sort((one, other) => one - other);
	const [last = now, next = now] = [sorted.at(-1), sorted.at(-most)];
	const nextAllowedAt = new Date(next + DAY_MS).toISOString();
	const often = times.length === 1 ? 'once' : `${times.length} times`;
	const unclear = hidden === 0 ? '' : `, counting ${hidden} whose number the call list hides`;
	const ago = inWords(Math.max(Math.floor((now - last) / MINUTE_MS), 1) * MINUTE_MS);
	return {
		reason: `This number was called ${often} in the last 24 hours, the last time ${ago} ago (${new Date(last).toISOString()})${unclear}`,
		advice: `Max Calls per Person per Day (Safety) is ${most}, and everyone's calls count. The next call may be placed in ${inWords(next + DAY_MS - now)} (nextAllowedAt: ${nextAllowedAt})`,
		nextAllowedAt,
	};
}

/** "5 hours, 12 minutes". */
function inWords(ms: number): string {
	const minutes = Math.ceil(ms / MINUTE_MS);
	return Duration.fromObject({ minutes }, { locale: 'en-US' }).rescale().toHuman();
}
