import { DateTime } from 'luxon';

import type { ServiceClient } from '../../../shared/service/client';
import { inWords } from '../../../shared/service/retry';
import type { PlannedCall, Refusal } from '../call';
import { CallList } from '../callList';
import { isInTime } from '../listedCall';
import { hasId, hasOtherExtension, otherCalls } from '../memory';
import { matchNumber } from '../phone';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How many calls a node may place in any 60 minutes and 24 hours; undefined for no limit. */
export interface Limits {
	perHour: number | undefined;
	perDay: number | undefined;
	/** How often anyone may call one number in any 24 hours. */
	perNumber: number | undefined;
}

export interface LimitOptions {
	/** Whether calls that were listed right now count, because this one had to wait. */
	isLate?: boolean;
	/** When earlier items of a dry run would have called the number. */
	rehearsed?: readonly number[] | undefined;
	zone: string;
}

const wholeMinutes = (ms: number) => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;

/** When a node's calls were placed (Unix milliseconds), by their keys; the oldest first. */
export type CountedCalls = Map<string, number>;

/** Each worker counts its own calls, and starts over after a restart. */
const counted = new Map<string, CountedCalls>();

export function countedCalls(node: string): CountedCalls {
	const calls = counted.get(node) ?? new Map<string, number>();
	counted.set(node, calls);
	return calls;
}

/**
 * Why a call may not be placed now; counts it otherwise. Must run while this process places no other
 * call to the number.
 * @throws CallProblem if the call list can't be read to its end; ServiceFailure
 */
export async function refuseLimits(
	client: ServiceClient,
	call: PlannedCall,
	{ perHour, perDay, perNumber }: Limits,
	calls: CountedCalls,
	options: LimitOptions,
): Promise<Refusal | undefined> {
	if (perNumber !== undefined) {
		const often = await refuseNumber(client, call, perNumber, options);
		if (often) return often;
	}
	// A call that is requested again counts already.
	if (calls.has(call.identity.key)) return undefined;
	const now = Date.now();
	for (const [each, at] of calls) if (at <= now - DAY_MS) calls.delete(each);
	const refusal =
		refuseRate(calls, 'Hour', perHour, HOUR_MS) ?? refuseRate(calls, 'Day', perDay, DAY_MS);
	if (refusal === undefined) calls.set(call.identity.key, now);
	return refusal;
}

/** Stops a node that has run away, such as a loop that never ends. */
function refuseRate(
	calls: CountedCalls,
	window: 'Hour' | 'Day',
	most: number | undefined,
	windowMs: number,
): Refusal | undefined {
	const now = Date.now();
	const recent = [...calls.values()].filter((at) => at > now - windowMs);
	if (most === undefined || recent.length < most) return undefined;
	const next = (recent.at(-most) ?? now) + windowMs;
	return {
		reason: `This node has reached its limit of ${most} ${most === 1 ? 'call' : 'calls'} per ${window.toLowerCase()}`,
		advice: `The next call may be placed in ${inWords(wholeMinutes(next - now))}, or raise Max Calls per ${window} (Safety)`,
		nextAllowedAt: new Date(next).toISOString(),
	};
}

/**
 * Refuses a call if its number was called `most` times in the last 24 hours: by anyone, as the call
 * list shows, and by this process if the list doesn't show it yet.
 */
async function refuseNumber(
	client: ServiceClient,
	call: PlannedCall,
	most: number,
	{ isLate = false, rehearsed = [], zone }: LimitOptions,
): Promise<Refusal | undefined> {
	const { toPhone: phone, identity } = call;
	const since = Date.now() - DAY_MS;
	const orElse = 'remove Max Calls per Person per Day (Safety)';
	const recent = await CallList.of(client).recentTo(client, { phone, since, isLate, orElse });
	// A number that can't be read may be this one.
	const listed = recent.filter((each) => matchNumber(phone, each.toPhone) !== 'other');
	const hidden = listed.filter((each) => matchNumber(phone, each.toPhone) === 'unclear').length;
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
	const now = Date.now();
	const times = [
		...listed.map(({ placedAt = now }) => placedAt),
		...unlisted.map(({ from }) => from),
		...rehearsed,
	].sort((one, other) => one - other);
	if (times.length < most) return undefined;
	const [last = now, next = now] = [times.at(-1), times.at(-most)];
	const often = times.length === 1 ? 'once' : `${times.length} times`;
	const unclear = hidden === 0 ? '' : `, counting ${hidden} whose number the call list hides`;
	const at = DateTime.fromMillis(last, { zone }).setLocale('en-US').toFormat('ccc h:mm a');
	const ago = inWords(Math.max(Math.floor((now - last) / MINUTE_MS), 1) * MINUTE_MS);
	return {
		reason: `This number was called ${often} in the last 24 hours, the last time ${ago} ago (${at})${unclear}`,
		advice: `Max Calls per Person per Day (Safety) is ${most}, and everyone's calls count. The next call may be placed in ${inWords(wholeMinutes(next + DAY_MS - now))}`,
		nextAllowedAt: new Date(next + DAY_MS).toISOString(),
	};
}
