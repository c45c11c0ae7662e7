import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../../shared/service/http/json';
import { withoutExtension } from '../plan/phoneNumber';

/** How far the service's clock may be from ours. More would take an earlier call for this one. */
export const CLOCK_SKEW_MS = 10_000;

/** When a listed call was placed, as Unix milliseconds; undefined when it doesn't say. */
export function createdAtOf({ createdAt }: IDataObject): number | undefined {
	const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Whether a call placed then, by the service's clock, can come from a request of that time. */
export function isInTime(
	createdAt: number | undefined,
	{ from, until }: { from: number; until: number },
): boolean {
	if (createdAt === undefined) return false;
	return createdAt >= from - CLOCK_SKEW_MS && createdAt <= until + CLOCK_SKEW_MS;
}

/** Whether a listed call went to this number; an extension counts where both have one. */
export function isCallTo(toPhone: string, listed: JsonObject): boolean {
	if (typeof listed.toPhone !== 'string') return false;
	if (digitsOf(listed.toPhone) !== digitsOf(toPhone)) return false;
	const [mine, other] = [toPhone, listed.toPhone].map((phone) => /;ext=(\d+)/.exec(phone)?.[1]);
	return mine === undefined || other === undefined || mine === other;
}

/** The digits of a number without its extension. */
export function digitsOf(phone: string): string {
	return withoutExtension(phone).replace(/\D/g, '');
}

/** Whether a listed call is known to be about the load. */
export function isAbout(load: string, listed: JsonObject): boolean {
	const loads: unknown = listed.loadIds;
	return Array.isArray(loads) && loads.some((id) => String(id) === load);
}

/**
 * Whether a listed call can be about the load. Agent calls have none (contract 4.8), and a call in
 * progress may have none noted yet: then its number and time decide.
 */
export function mayConcern(load: string | undefined, listed: JsonObject): boolean {
	const loads: unknown = listed.loadIds;
	if (load === undefined || !Array.isArray(loads) || loads.length === 0) return true;
	return isAbout(load, listed);
}
