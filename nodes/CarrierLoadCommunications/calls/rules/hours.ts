import { DateTime, Duration, IANAZone } from 'luxon';

import { fieldsIn, refuseUnknown } from '../../../shared/fields/readCollection';
import { convert, propertiesOf } from '../../../shared/fields/field';
import type { Field } from '../../../shared/fields/fieldTypes';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { choice, choices, text } from '../../../shared/fields/simpleFields';
import { isJsonObject } from '../../../shared/service/json';
import { withoutExtension } from '../phone';
import type { PlannedCall, Refusal } from '../call';
import { zonesOfNumber } from './zones';

export interface CallingHours {
	/** Minutes after midnight. */
	from: number;
	/** Minutes after midnight, exclusive; before `from` if the hours span midnight. */
	to: number;
	/** Days on which the hours may start: 1 is Monday, 7 is Sunday. */
	days: ReadonlySet<number>;
	/** `phone` for the number's zones, or an IANA zone. */
	zone: string;
	outside: 'error' | 'skip';
}

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const QUARTER = 15;

/** Refuses a call unless the hours are open in every zone that the number may be in. */
export function refuseHours(
	hours: CallingHours,
	call: Pick<PlannedCall, 'toPhone'>,
	now: Date,
): Refusal | undefined {
	const zones =
		hours.zone === 'phone' ? zonesOfNumber(withoutExtension(call.toPhone)) : [hours.zone];
	const closed = zones.find((zone) => !isOpen(hours, zone, now.getTime()));
	if (closed === undefined && zones.length > 0) return undefined;
	const skip = hours.outside === 'skip' && { skippedAs: 'outsideHours' as const };
	if (closed === undefined) {
		return {
			...skip,
			inShort: 'time zone not known',
			reason: `The time zone of ${call.toPhone} is not known`,
			advice: 'Set Calling Hours Zone (Safety) to the time zone of the person called',
		};
	}
	const inZone = (time: Date) => DateTime.fromJSDate(time, { zone: closed }).setLocale('en-US');
	const shown = (time: Date) => `${inZone(time).toFormat('cccc HH:mm')} in ${closed}`;
	const inShort = inZone(now).toFormat(hours.days.size === DAYS.length ? 'h:mm a' : 'ccc h:mm a');
	const refusal = {
		...skip,
		inShort: `${inShort} in ${closed.replace(/^.*\//, '').replaceAll('_', ' ')}, outside calling hours`,
		reason: `It is ${shown(now)}, outside the calling hours (${describeHours(hours)})`,
	};
	const next = nextOpening(hours, zones, now.getTime());
	if (next === undefined) {
		const advice = `The calling hours are never open in all time zones of the number (${zones.join(', ')}) at the same time. Widen them, or set Calling Hours Zone (Safety)`;
		return { ...refusal, advice };
	}
	const nextAllowedAt = next.toISOString();
	const advice = `The call may be placed from ${shown(next)}. To call earlier, change the hours, days or zone of Calling Hours (Safety)`;
	return { ...refusal, advice, nextAllowedAt };
}

function isOpen({ from, to, days }: CallingHours, zone: string, at: number): boolean {
	const { hour, minute, weekday } = DateTime.fromMillis(at, { zone });
	const time = hour * 60 + minute;
	if (from < to) return time >= from && time < to && days.has(weekday);
	// After midnight, the hours are those that started yesterday.
	return time >= from ? days.has(weekday) : time < to && days.has(weekday === 1 ? 7 : weekday - 1);
}

/**
 * The first time when all zones are open. Hours open at their start or when a clock changes, which
 * all do at a quarter of an hour. The days beyond a week are for those changes.
 */
function nextOpening(hours: CallingHours, zones: readonly string[], after: number) {
	const quarterMs = QUARTER * MINUTE_MS;
	const starts = [...new Set([0, (hours.from % QUARTER) * MINUTE_MS])];
	const first = Math.floor(after / quarterMs) * quarterMs;
	for (let at = first; at < after + 9 * DAY_MINUTES * MINUTE_MS; at += quarterMs) {
		const next = starts
			.map((start) => at + start)
			.find((time) => time >= after && zones.every((zone) => isOpen(hours, zone, time)));
		if (next !== undefined) return new Date(next);
	}
	return undefined;
}

function describeHours({ from, to, days }: CallingHours): string {
	const names = DAYS.filter((_day, index) => days.has(index + 1)).map((day) => day.slice(0, 3));
	const on = names.length === DAYS.length ? '' : ` on ${names.join(', ')}`;
	return `${timeOf(from)} to ${timeOf(to)}${on}`;
}

/** In Luxon's order: Monday is day 1. */
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** For rules that need no expression: the editor then offers no value from an AI agent's model. */
export const fixed = { editor: { noDataExpression: true } };

/**
 * What the form starts with in a group: nothing, and the group's own default has the values. Of a new node's group,
 * n8n 2.41 keeps no value that is its field's default, and shows that field empty and red.
 */
const inGroup = { default: '' as const };

export function errorOrSkip(
	options: { label: string; default: 'error' | 'skip'; about: string },
	editor: { default?: '' } = {},
) {
	return choice({
		...options,
		editor: { ...fixed.editor, ...editor },
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
		editor: { ...inGroup },
		about:
			"Time zone of the calling hours. An expression can give the IANA time zone of the load's next stop, e.g. America/Chicago.",
	}),
	read(parameters, name) {
		const chosen = zoneText.read(parameters, name);
		if (chosen === 'phone') return chosen;
		const iana = chosen === 'workflow' ? parameters.timezone : chosen;
		// "EST" is a zone without daylight saving time, which no one means.
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
		editor: { default: [], noDataExpression: true },
	}),
	(chosen) => {
		const read = (chosen.length > 0 ? chosen : DAYS).map((day) => {
			const index = DAYS.findIndex((each) => each.toLowerCase() === day.toLowerCase());
			if (index >= 0) return index + 1;
			throw new InvalidParameter('Calling Hours Days', `must be days such as ${DAYS[0]}`, day);
		});
		return new Set(read);
	},
);

const time = (label: string, example: string, about: string) =>
	convert(text({ label, example, about }), (written) =>
		written === undefined ? undefined : readTime(label, written),
	);

/** Useless one by one, so they are one rule. */
export const rangeFields = {
	from: time('Calling Hours From', '08:00', 'Earliest time to place calls, e.g. 08:00 or 8 AM'),
	to: time('Calling Hours To', '20:00', 'No calls from this time on, e.g. 20:00 or 8 PM'),
	days,
	zone,
	outside: errorOrSkip(
		{
			label: 'Outside Calling Hours',
			default: 'error',
			about:
				'What to do with an item outside the calling hours. A skipped item has the Call Result outsideHours, and nextAllowedAt says when it may be called.',
		},
		inGroup,
	),
};

const LABEL = 'Calling Hours';

/** What a new node starts with. */
export const DAYTIME = {
	range: {
		...{ from: '08:00', to: '20:00', days: DAYS.map((day) => day.toLowerCase()) },
		...{ zone: 'phone', outside: 'error' },
	},
};

export const hours: Field<CallingHours> = {
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
		if (!isJsonObject(given)) throw new InvalidParameter(LABEL, 'must be an object', given);
		refuseUnknown(given, LABEL, { range: rangeFields });
		const { range = {} } = given;
		if (!isJsonObject(range)) throw new InvalidParameter(LABEL, 'must be an object', range);
		refuseUnknown(range, LABEL, rangeFields);
		const { from, to, ...others } = fieldsIn(parameters, `${name}.range`, rangeFields);
		if (from === undefined || to === undefined) {
			const missing = `Calling Hours ${from === undefined ? 'From' : 'To'}`;
			const problem = 'is missing: remove Calling Hours from Safety, then add it again';
			throw new InvalidParameter(missing, problem);
		}
		if (from !== to) return { from, to, ...others };
		throw new InvalidParameter('Calling Hours To', 'must differ from Calling Hours From');
	},
};

const HOURS_24 = /^([01]\d|2[0-3]|24(?=:?00)):?([0-5]\d)(?::\d\d)?$/;
const HOURS_12 = /^(0?[1-9]|1[0-2])(?::?([0-5]\d))?\s{0,3}([ap])\.?(?:m\.?)?$/i;

/**
 * Minutes after midnight of "08:00", "0800", "8:30 pm", "8 a.m." or "8a".
 * @throws InvalidParameter also for "5" and "5:00", which can be 5 PM: "9 to 5" would last all night
 */
function readTime(label: string, written: string): number {
	const [, hour24, minute24] = HOURS_24.exec(written) ?? [];
	if (hour24 !== undefined) return Number(hour24) * 60 + Number(minute24);
	const [, hour12, minute12 = 0, half = ''] = HOURS_12.exec(written) ?? [];
	const isAfternoon = /p/i.test(half);
	if (half !== '') return ((Number(hour12) % 12) + (isAfternoon ? 12 : 0)) * 60 + Number(minute12);
	const problem = 'must be a time such as 08:00 or 8 AM, with four digits or with AM or PM';
	throw new InvalidParameter(label, problem, written);
}

/** "08:00" for minutes after midnight. */
function timeOf(minutes: number): string {
	return Duration.fromObject({ minutes }).toFormat('hh:mm');
}
