import { DateTime } from 'luxon';

import type { Field } from '../../shared/fields/fieldTypes';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import type { Parameters } from '../../shared/fields/parameters';
import type { TimeRange } from '../../shared/service/contract';

export interface Range {
	start: DateTime;
	end: DateTime;
}

export interface Preset {
	name: string;
	value: string;
	/** @param now in the workflow's time zone @param inDays whether whole days are counted, with today */
	range(now: DateTime, inDays: boolean): Range;
}

type Moment = [field: Field<DateTime | undefined>, name: string];

/** @param turn what the service takes as the range @throws InvalidParameter */
export function readRange<Value>(
	{ timeRange, presets, inDays }: { timeRange: Field<string>; presets: Preset[]; inDays: boolean },
	[start, startName]: Moment,
	[end, endName]: Moment,
	turn: (range: Range, now: DateTime) => Value,
) {
	return (parameters: Parameters): Value => {
		const now = DateTime.now().setZone(parameters.timezone);
		const chosen = timeRange.read(parameters, 'timeRange');
		const preset = presets.find(({ value }) => value === chosen);
		if (preset) return turn(preset.range(now, inDays), now);
		const from = start.read(parameters, startName);
		const to = end.read(parameters, endName);
		if (from && from <= (to ?? now)) return turn({ start: from, end: to ?? now }, now);
		const shown = (time?: DateTime) => (inDays ? time?.toISODate() : time?.toISO());
		const shownEnd = shown(to) ?? (inDays ? 'today' : 'now');
		throw new InvalidParameter('Start', `must not be after End (${shownEnd})`, shown(from));
	};
}

/** How far the service's clock may be ahead. */
const CLOCK_SKEW = { minutes: 5 };

/** A range that is still open ends a little after now: the newest records are in it even if the service's clock is ahead. */
export function toTimeRange({ start, end }: Range, now: DateTime): TimeRange {
	const isOpen = start <= now && end >= now;
	const endTime = timestamp(isOpen ? now.plus(CLOCK_SKEW) : end);
	return { startTime: timestamp(start), endTime };
}

/** A time as the service takes it (contract 4.1). */
export function timestamp(time: DateTime): string {
	return time.toUTC().toISO() ?? '';
}

/** @param edge which end of a range it is @throws InvalidParameter */
export function readMoment(
	edge: 'start' | 'end',
	isDay: boolean,
	label: string,
	written: Field<string | undefined>,
) {
	return (parameters: Parameters, name: string): DateTime | undefined => {
		const text = written.read(parameters, name);
		if (text === undefined) return undefined;
		const read = momentIn(text, parameters.timezone, edge, isDay);
		if (read) return read;
		const problem =
			'must be a date such as 2026-03-08, or a date and time such as 2026-03-08T14:30:00';
		throw new InvalidParameter(label, problem, text);
	};
}

/** A date, and perhaps a time, as the date picker, ISO 8601 and databases write them. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.*))?$/i;
/** Midnight in UTC: how databases, spreadsheets, a Date and the service (contract 2.7) write a day. */
const UTC_MIDNIGHT = /^00:00(?::00(?:\.0+)?)?Z$/;

/**
 * A point in time; undefined if the text is none. A date without a time means the whole day (contract
 * 4.9 doesn't say how the service would read it). The picker has no fractions, so its 23:59:59 as an
 * end includes the whole second, and 23:59 the whole minute.
 * @param zone time zone of the result, and of text without one
 */
function momentIn(text: string, zone: string, edge: 'start' | 'end', isDay: boolean) {
	const [, date = '', time] = DATE.exec(text) ?? [];
	const isDate = time === undefined || (isDay && UTC_MIDNIGHT.test(time));
	const read = DateTime.fromISO(isDate ? date : `${date}T${time}`, { zone });
	if (!read.isValid) return undefined;
	if (isDate || isDay) return edge === 'start' ? read.startOf('day') : read.endOf('day');
	if (edge === 'start' || !time.endsWith(':59')) return read;
	return read.endOf(time.length > '23:59'.length ? 'second' : 'minute');
}

/** A Date, and a DateTime of any copy of Luxon, is ISO text in JSON. Empty for what is not text. */
export function isoText(value: unknown): string {
	try {
		const plain: unknown = JSON.parse(JSON.stringify(value));
		return typeof plain === 'string' ? plain.trim() : '';
	} catch {
		return '';
	}
}
