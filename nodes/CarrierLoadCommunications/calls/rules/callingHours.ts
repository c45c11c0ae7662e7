import { DateTime } from 'luxon';

import { withoutExtension } from '../plan/extension';
import { DAYS, timeOf } from './fields/hoursText';
import type { Refusal, RuledCall } from './refusal';
import { zonesOfNumber } from './zones/zonesOfNumber';

/** When calls may be placed, in the local time of the person called. */
export interface CallingHours {
	/** Minutes after midnight. */
	from: number;
	/** Minutes after midnight, exclusive; before `from` if the hours span midnight. */
	to: number;
	/** Days on which the hours may start: 1 is Monday, 7 is Sunday. */
	days: ReadonlySet<number>;
	/** `phone` for the number's zones, or an IANA zone. */
	zone: string;
	/** What to do with a call outside the hours. */
	outside: 'error' | 'skip';
}

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Hours that ever open do so within a week; the extra days are for clock changes. */
const LOOK_AHEAD_MS = 9 * DAY_MINUTES * MINUTE_MS;

/** Refuses a call unless the hours are open in every zone that the number may be in. */
export function refuseHours(
	hours: CallingHours | undefined,
	call: RuledCall,
	now: Date,
): Refusal | undefined {
	if (hours === undefined) return undefined;
	const zones =
		hours.zone === 'phone' ? zonesOfNumber(withoutExtension(call.toPhone)) : [hours.zone];
	if (zones.length === 0) {
		return refusal(hours, {
			reason: `The time zone of ${call.toPhone} is not known`,
			advice: 'Set Calling Hours Zone (Calling Rules) to the time zone of the person called',
		});
	}
	const closed = zones.filter((zone) => !isOpen(hours, zone, now.getTime()));
	const [first] = closed;
	if (first === undefined) return undefined;
	const next = nextOpening(hours, zones, now.getTime());
	const local = (time: Date) =>
		`${DateTime.fromJSDate(time, { zone: first }).toFormat('cccc HH:mm')} in ${first}`;
	return refusal(hours, {
		reason: `It is ${local(now)}, outside the calling hours (${describeHours(hours)})`,
		...(next === undefined
			? {
					advice: `The calling hours are never open in all time zones of the number (${zones.join(', ')}) at once. Widen them, or set Calling Hours Zone (Calling Rules)`,
				}
			: {
					advice: `The call may be placed from ${local(new Date(next))} (nextAllowedAt: ${next}), for example after a Wait node. Or change the hours, days or zone in Calling Rules`,
					nextAllowedAt: next,
				}),
	});
}

function refusal({ outside }: CallingHours, said: Refusal): Refusal {
	return outside === 'skip' ? { skippedAs: 'outsideHours', ...said } : said;
}

function isOpen(hours: CallingHours, zone: string, at: number): boolean {
	const { from, to, days } = hours;
	const { minute, weekday } = clock(zone, at);
	if (from < to) return minute >= from && minute < to && days.has(weekday);
	if (minute >= from) return days.has(weekday);
	// The hours that started yesterday.
	return minute < to && days.has(weekday === 1 ? 7 : weekday - 1);
}

/** The first time when all zones are open (ISO 8601, UTC). */
function nextOpening(
	hours: CallingHours,
	zones: readonly string[],
	after: number,
): string | undefined {
	let at = Math.ceil(after / MINUTE_MS) * MINUTE_MS;
	while (at <= after + LOOK_AHEAD_MS) {
		const closed = zones.find((zone) => !isOpen(hours, zone, at));
		if (closed === undefined) return new Date(at).toISOString();
		at = skipAhead(hours, closed, at);
	}
	return undefined;
}

/**
 * When a closed zone can open next: at the start of the hours. If its clock changes before that, only
 * up to the next quarter of an hour, because all changes happen at one.
 */
function skipAhead({ from }: CallingHours, zone: string, at: number): number {
	const now = clock(zone, at);
	const minutes = ((from - now.minute + DAY_MINUTES - 1) % DAY_MINUTES) + 1;
	const opening = at + minutes * MINUTE_MS;
	if (clock(zone, opening).offset === now.offset) return opening;
	return Math.min(opening, (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS);
}

function clock(zone: string, at: number): { minute: number; weekday: number; offset: number } {
	const { hour, minute, weekday, offset } = DateTime.fromMillis(at, { zone });
	return { minute: hour * 60 + minute, weekday, offset };
}

function describeHours({ from, to, days }: CallingHours): string {
	const names = DAYS.filter((_day, index) => days.has(index + 1)).map((day) => day.slice(0, 3));
	const on = names.length === DAYS.length ? '' : ` on ${names.join(', ')}`;
	return `${timeOf(from)} to ${timeOf(to)}${on}`;
}
