import { DateTime, IANAZone } from 'luxon';

import { fieldsIn, refuseUnknown } from '../../../shared/fields/collection';
import { convert, propertiesOf, type Field, type ValuesOf } from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/parameters';
import { choice, choices, text } from '../../../shared/fields/simpleFields';
import { isJsonObject, type JsonObject } from '../../../shared/service/json';
import { withoutExtension } from '../phone';
import type { PlannedCall, Refusal } from '../call';
import { zonesOfNumber } from './zones';

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
	call: Pick<PlannedCall, 'toPhone' | 'asIs'>,
	now: Date,
): Refusal | undefined {
	if (hours === undefined) return undefined;
	const zones =
		hours.zone === 'phone' ? zonesOfNumber(withoutExtension(call.toPhone)) : [hours.zone];
	if (zones.length === 0) {
		return refusal(hours, {
			inShort: 'time zone not known',
			reason: `The time zone of ${call.toPhone} is not known`,
			advice: 'Set Calling Hours Zone (Safety) to the time zone of the person called',
		});
	}
	const closed = zones.filter((zone) => !isOpen(hours, zone, now.getTime()));
	const [first] = closed;
	if (first === undefined) return undefined;
	const next = nextOpening(hours, zones, now.getTime());
	const local = (time: Date) =>
		`${DateTime.fromJSDate(time, { zone: first }).toFormat('cccc HH:mm')} in ${first}`;
	return refusal(hours, {
		inShort: shortTime(hours, first, now),
		reason: `It is ${local(now)}, outside the calling hours (${describeHours(hours)})`,
		...(next === undefined
			? {
					advice: `The calling hours are never open in all time zones of the number (${zones.join(', ')}) at the same time. Widen them, or set Calling Hours Zone (Safety)`,
				}
			: {
					advice: `The call may be placed from ${local(new Date(next))} (nextAllowedAt: ${next}), for example after a Wait node. Or change the hours, days or zone of Calling Hours (Safety)`,
					nextAllowedAt: next,
				}),
	});
}

/** "3:20 AM in Chicago", with the day if not all days are open. */
function shortTime({ days }: CallingHours, zone: string, now: Date): string {
	const format = days.size === EVERY_DAY.length ? 'h:mm a' : 'ccc h:mm a';
	const time = DateTime.fromJSDate(now, { zone }).setLocale('en-US').toFormat(format);
	return `${time} in ${zone.replace(/^.*\//, '').replaceAll('_', ' ')}`;
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

/** In Luxon's order: Monday is day 1. */
const DAYS = [
	'Monday',
	'Tuesday',
	'Wednesday',
	'Thursday',
	'Friday',
	'Saturday',
	'Sunday',
] as const;

/** For rules that need no expression: the editor then offers no value from an AI agent's model. */
export const fixed = { editor: { noDataExpression: true } };

/** What to do with an item that a rule refuses. */
export function errorOrSkip(options: { label: string; default: 'error' | 'skip'; about: string }) {
	return choice({
		...options,
		...fixed,
		choices: [
			{ name: 'Fail the Item', value: 'error' },
			{ name: 'Skip the Call', value: 'skip' },
		],
	});
}

const ZONE_LABEL = 'Calling Hours Zone';
const zoneText = text({ label: ZONE_LABEL, default: 'phone' });

const zone: Field<string> = {
	...choice({
		label: ZONE_LABEL,
		choices: [
			{ name: 'Zone of the Phone Number', value: 'phone' },
			{ name: 'Zone of the Workflow', value: 'workflow' },
			{ name: 'Alaska', value: 'America/Anchorage' },
			{ name: 'Arizona', value: 'America/Phoenix' },
			{ name: 'Atlantic', value: 'America/Halifax' },
			{ name: 'Central', value: 'America/Chicago' },
			{ name: 'Eastern', value: 'America/New_York' },
			{ name: 'Hawaii', value: 'Pacific/Honolulu' },
			{ name: 'Mexico (Central)', value: 'America/Mexico_City' },
			{ name: 'Mountain', value: 'America/Denver' },
			{ name: 'Newfoundland', value: 'America/St_Johns' },
			{ name: 'Pacific', value: 'America/Los_Angeles' },
		],
		default: 'phone',
		about:
			"Time zone of the calling hours. An expression can give the IANA time zone of the load's next stop, e.g. America/Chicago.",
	}),
	read(parameters, name) {
		const chosen = zoneText.read(parameters, name);
		if (chosen === 'phone') return chosen;
		const iana = chosen === 'workflow' ? parameters.timezone : chosen;
		// "EST" is a zone without daylight saving time, which nobody means.
		const isPlace = iana.includes('/') || iana === 'UTC';
		// Luxon keeps the zones that it creates; `isValidZone` takes 0.06 ms for each item.
		if (isPlace && IANAZone.create(iana).isValid) return iana;
		throw new InvalidParameter(ZONE_LABEL, 'must be a time zone such as America/Chicago', iana);
	},
};

const days = convert(
	choices({
		label: 'Calling Hours Days',
		choices: DAYS.map((day) => ({ name: day, value: day.toLowerCase() })),
		about: 'Days of the week on which calls may be placed',
		editor: { default: DAYS.map((day) => day.toLowerCase()), noDataExpression: true },
	}),
	(chosen) =>
		(chosen.length > 0 ? chosen : DAYS).map((day) => {
			const index = DAYS.findIndex((each) => each.toLowerCase() === day.toLowerCase());
			if (index >= 0) return index + 1;
			throw new InvalidParameter('Calling Hours Days', `must be days such as ${DAYS[0]}`, day);
		}),
);

/** A time of day as someone wrote it. */
export interface WrittenTime {
	/** Minutes after midnight. */
	minutes: number;
	/** Whether it has AM or PM, or two digits: "5 PM" and "17", but not "5:00". */
	isClear: boolean;
	/** Whether it can only mean this time: "12" is noon to some, and midnight to others. */
	isExact: boolean;
}

const time = (label: string, example: string, about: string, latest: number) =>
	convert(text({ label, example, about }), (written) =>
		written === undefined ? undefined : readTime(label, written, latest),
	);

const rangeFields = {
	from: time(
		'Calling Hours From',
		'08:00',
		'Earliest time of day to place calls, e.g. 08:00 or 8 AM',
		24 * 60 - 1,
	),
	to: time(
		'Calling Hours To',
		'20:00',
		'Time of day from which no more calls are placed, e.g. 20:00 or 8 PM',
		24 * 60,
	),
	days,
	zone,
	outside: errorOrSkip({
		label: 'Outside Calling Hours',
		default: 'error',
		about:
			'What to do with an item outside the calling hours. A skipped item has the Call Result outsideHours and nextAllowedAt, for a Wait node.',
	}),
};

const LABEL = 'Calling Hours';
const LABELS = new Map(
	propertiesOf(rangeFields).map(({ name, displayName }) => [name, displayName]),
);

/** What a new node starts with. n8n stores no value of a group that is its field's default, so From and To have none. */
export const DAYTIME = { range: { from: '08:00', to: '20:00', zone: 'phone' } };

/** One rule of several fields, which are useless alone. */
export const hours: Field<CallingHours | undefined> = {
	properties: (name) => [
		{
			displayName: LABEL,
			name,
			type: 'fixedCollection',
			default: { ...DAYTIME },
			description: 'When calls may be placed, in the local time of the person called',
			options: [
				{
					displayName: LABEL,
					name: 'range',
					values: propertiesOf(rangeFields).map((property) => ({
						...property,
						displayName: property.displayName.replace(`${LABEL} `, ''),
					})),
				},
			],
		},
	],
	read(parameters, name) {
		const given = parameters.raw(name);
		if (given === undefined) return undefined;
		const range = rangeIn(given);
		for (const [field, value] of Object.entries(range)) {
			// The editor stores no days of a new node, which are all days (n8n 2.41).
			if (!isBlank(value) || (field === 'days' && Array.isArray(value) && value.length === 0))
				continue;
			throw new InvalidParameter(LABELS.get(field) ?? field, 'is empty; fill it in');
		}
		return readHours(fieldsIn(parameters, `${name}.range`, rangeFields));
	},
};

/** Refuses anything else that could be meant as hours. @throws InvalidParameter */
function rangeIn(given: unknown): JsonObject {
	if (!isJsonObject(given)) throw new InvalidParameter(LABEL, 'must be an object', given);
	refuseUnknown(given, LABEL, { range: rangeFields });
	const { range = {} } = given;
	if (!isJsonObject(range)) throw new InvalidParameter(LABEL, 'must be an object', range);
	refuseUnknown(range, LABEL, rangeFields);
	return range;
}

export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return typeof value === 'string'
		? /^[\s,;|]*$/.test(value)
		: value === null || value === undefined;
}

const TIME = /^(\d{1,2}):?(?:(\d{2})(?::\d{2})?)?\s{0,3}(?:([ap])\.?(?:m\.?)?)?$/i;

/** The time in "08:00", "8:30 pm", "8 a.m.", "8a" or "0800", at most `latest`. @throws InvalidParameter */
function readTime(label: string, written: string, latest: number): WrittenTime {
	const text = written.trim();
	const [, hours = '', rest, half] = TIME.exec(text) ?? [];
	const past = Number(rest ?? 0);
	const minutes = hourOf(Number(hours || NaN), half?.toLowerCase()) * 60 + past;
	if (past < 60 && minutes <= latest) {
		const isClear = half !== undefined || hours.length === 2;
		return { minutes, isClear, isExact: isClear && (half ?? rest) !== undefined };
	}
	throw new InvalidParameter(label, 'must be a time such as 08:00 or 8 AM', written);
}

function hourOf(hour: number, half: string | undefined): number {
	if (half === undefined) return hour;
	if (hour < 1 || hour > 12) return NaN;
	return (hour % 12) + (half === 'p' ? 12 : 0);
}

/** Longer hours, and a start before, were most likely meant for another half of the day. */
const LONGEST_DAY = 14 * 60;
const EARLIEST = 6 * 60;

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** The calling hours that the fields give. @throws InvalidParameter */
function readHours(range: ValuesOf<typeof rangeFields>): CallingHours {
	const { from: start, to: end, days: chosen, ...others } = range;
	if (start === undefined || end === undefined) {
		const missing = start === undefined ? 'Calling Hours From' : 'Calling Hours To';
		throw new InvalidParameter(missing, 'is missing; calling hours need both From and To');
	}
	const [from, to] = [start.minutes, end.minutes];
	if (from === to) {
		throw new InvalidParameter('Calling Hours To', 'must differ from Calling Hours From');
	}
	const length = (to - from + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
	const isLong = length > LONGEST_DAY;
	const isOdd = isLong || to < from;
	const isVague = (time: WrittenTime) => !(isLong ? time.isExact : time.isClear);
	if ((isOdd || from < EARLIEST) && isVague(start)) throw vague('From', from);
	if (isOdd && isVague(end)) throw vague('To', to);
	return { from, to, days: new Set(chosen.length > 0 ? chosen : EVERY_DAY), ...others };
}

/** "9 to 5" would last all night. */
function vague(end: 'From' | 'To', minutes: number): InvalidParameter {
	const hour = Math.floor(minutes / 60) % 12 || 12;
	return new InvalidParameter(
		`Calling Hours ${end}`,
		`could mean morning or afternoon; write ${hour} AM or ${hour} PM, or 24-hour time such as ${timeOf(minutes)}`,
	);
}

/** "08:00" for minutes after midnight. */
function timeOf(minutes: number): string {
	const two = (part: number) => String(part).padStart(2, '0');
	return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
