import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../../shared/service/http/json';
import { loadKey, loadsIn } from '../../../shared/service/loads';
import { timeOf } from '../../../shared/service/recordTime';
import { matchNumber, type Match } from '../plan/sameNumber';

/** How far the service's clock may differ. A larger tolerance would match earlier calls. */
export const CLOCK_SKEW_MS = 10_000;

/** Whether a call placed at that time, by the service's clock, can come from this time's request. */
export function isInTime(
	createdAt: number | undefined,
	{ from, until }: { from: number; until: number },
): boolean {
	if (createdAt === undefined) return false;
	return createdAt >= from - CLOCK_SKEW_MS && createdAt <= until + CLOCK_SKEW_MS;
}

/** A call's ID as text; undefined for values that can't identify a call, such as 0 or spaces. */
export function callIdOf({ id }: IDataObject): string | undefined {
	if (typeof id === 'number') return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
	const text = typeof id === 'string' ? id.trim() : '';
	return /[\p{L}\p{N}]/u.test(text) && !/^(0+|null|undefined|none|nan)$/i.test(text)
		? text
		: undefined;
}

/** The keys of the loads that a listed call names. */
export function loadsOf({ loadIds }: IDataObject): string[] {
	return loadsIn(loadIds);
}

/** Whether a listed call is known to be about the load. */
export function isAbout(load: string, listed: JsonObject): boolean {
	return loadsOf(listed).includes(loadKey(load));
}

/**
 * Whether a listed call may be about the load. Agent calls have none (contract 4.8), and a call in
 * progress may not have one yet: then its number and time decide.
 */
export function mayConcern(load: string | undefined, listed: JsonObject): boolean {
	if (load === undefined) return true;
	const loads = loadsOf(listed);
	return loads.length === 0 || loads.includes(loadKey(load));
}

/**
 * Whether a listed call went to this number within a time (Unix milliseconds). Unclear if its
 * number, time or ID can't be read, unless the others rule it out. A time without a zone may be hours
 * off; the service listed it for the range all the same.
 */
export function matchCall(
	toPhone: string,
	{ from, until }: { from: number; until: number },
	listed: JsonObject,
): Match {
	const time = timeOf(listed);
	const isOutside = time === undefined || time.ms < from || time.ms > until;
	if (isOutside && time?.toleranceMs === 0) return 'other';
	const number = matchNumber(toPhone, listed.toPhone);
	if (number !== 'same') return number;
	return isOutside || callIdOf(listed) === undefined ? 'unclear' : 'same';
}
