import { DateTime } from 'luxon';

import type { Field } from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { refuseLost, simpleField, type FieldOptions } from '../../../shared/fields/simpleField';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}.*)$/i;

interface MomentOptions extends Omit<FieldOptions<string>, 'default' | 'prefill'> {
	/** Which end of a range it is, for a date without a time. */
	edge: 'start' | 'end';
	/** Whether the date picker offers days only. */
	dateOnly?: boolean;
}

/** A date and time, or a day, in the workflow's time zone. */
export function moment(options: MomentOptions & { required: true }): Field<DateTime>;
export function moment(options: MomentOptions): Field<DateTime | undefined>;
export function moment({ edge, dateOnly, ...options }: MomentOptions): Field<DateTime | undefined> {
	const picker = dateOnly ? { typeOptions: { dateOnly: true } } : {};
	return {
		...simpleField('dateTime', options, () => undefined, picker),
		read(parameters, name) {
			const given = parameters.raw(name);
			const value = dateOnly ? asDay(given) : given;
			if (value !== undefined) return parseMoment(options.label, value, parameters.timezone, edge);
			if (options.required) throw new InvalidParameter(options.label, 'is required', '');
			refuseLost(parameters, name, options);
			return undefined;
		},
	};
}

/**
 * A point in time from the date picker's text without a zone, ISO 8601 text, a date, a Date, or a
 * Luxon DateTime (of any copy of Luxon, because expressions have their own). A date without a time
 * means the whole day (contract 4.9 doesn't say how the service would read it): its first moment as
 * a start, its last as an end. The picker has no fractions, so its 23:59:59 as an end includes the
 * whole second, and 23:59 the whole minute. When the clocks go back and a time occurs twice, a start uses the earlier one and an
 * end the later one.
 *
 * @param zone time zone of the result, and of text without one
 * @throws InvalidParameter
 */
function parseMoment(field: string, value: unknown, zone: string, edge: 'start' | 'end'): DateTime {
	const text = isoText(value);
	if (text === undefined) throw unreadable(field, value);
	if (DATE_ONLY.test(text)) {
		const day = DateTime.fromISO(text, { zone });
		if (!day.isValid) throw unreadable(field, value);
		return edge === 'start' ? startOf(day, 'day') : endOf(day, 'day');
	}
	const [, date, time] = DATE_AND_TIME.exec(text) ?? [];
	const parsed = DateTime.fromISO(`${date}T${time}`, { zone });
	if (!parsed.isValid) throw unreadable(field, value);
	const found = namesZone(text) ? parsed : atEdge(parsed, edge);
	if (edge === 'start' || /\d[.,]\d/.test(text)) return found;
	if (found.second === 59) return found.endOf('second');
	return /^\d\d:59(?!:)/.test(time ?? '') ? found.endOf('minute') : found;
}

/**
 * Midnight in UTC is how databases, spreadsheets, a Date and the service (contract 2.7) write a day. In
 * America, that moment is in the day before.
 */
function asDay(value: unknown): unknown {
	const [, day = value] =
		/^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?Z$/.exec(isoText(value) ?? '') ?? [];
	return day;
}

type Unit = 'day' | 'week' | 'month';

/**
 * The first moment of a day, week or month. Where clocks go back to midnight, as in Havana, midnight
 * comes twice, and Luxon's may be the second.
 */
export function startOf(time: DateTime, unit: Unit): DateTime {
	return atEdge(time.startOf(unit), 'start');
}

/** The last millisecond of a day, week or month. */
export function endOf(time: DateTime, unit: Unit): DateTime {
	return startOf(time.startOf(unit).plus({ [unit]: 1 }), unit).minus(1);
}

function unreadable(field: string, value: unknown): InvalidParameter {
	return new InvalidParameter(
		field,
		'must be a date such as 2026-03-08, or a date and time such as 2026-03-08T14:30:00',
		value,
	);
}

function isoText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'object' || value === null) return undefined;
	const { toISO, toISOString }: { toISO?: unknown; toISOString?: unknown } = value;
	try {
		const iso: unknown =
			typeof toISO === 'function'
				? toISO.call(value)
				: typeof toISOString === 'function' && toISOString.call(value);
		return typeof iso === 'string' ? iso : undefined;
	} catch {
		return undefined;
	}
}

function namesZone(text: string): boolean {
	return /(z|[+-]\d{2}(:?\d{2})?)$/i.test(text.slice('2026-03-08'.length));
}

function atEdge(time: DateTime, edge: 'start' | 'end'): DateTime {
	const possible = time
		.getPossibleOffsets()
		.sort((one, other) => one.toMillis() - other.toMillis());
	return possible.at(edge === 'start' ? 0 : -1) ?? time;
}
