import { DateTime } from 'luxon';

import type { Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/parameters';
import {
	choice,
	refuseLost,
	simpleField,
	type FieldOptions,
} from '../../shared/fields/simpleFields';
import type { TimeRange, AnalyticsQuery } from '../../shared/service/contract';

/** Both ends of a range, in the workflow's time zone. */
interface Range {
	start: DateTime;
	end: DateTime;
}

interface Preset {
	name: string;
	value: string;
	/** The range at a given time in the workflow's time zone. */
	at(now: DateTime): Range;
	/** The same in whole days, if that differs. */
	daysAt?(now: DateTime): Range;
}

const whole = (moment: DateTime, unit: 'day' | 'month'): Range => ({
	start: startOf(moment, unit),
	end: endOf(moment, unit),
});

const lastDays = (days: number): Pick<Preset, 'at' | 'daysAt'> => ({
	at: (now) => ({ start: now.minus({ days }), end: now }),
	daysAt: (now) => ({ start: now.minus({ days: days - 1 }).startOf('day'), end: now }),
});

/** Preset ranges, in the order of the dropdown. Weeks start on Monday. */
const PRESETS: readonly Preset[] = [
	{
		name: 'Last 24 Hours',
		value: 'last24Hours',
		at: (now) => ({ start: now.minus({ hours: 24 }), end: now }),
	},
	{ name: 'Today', value: 'today', at: (now) => ({ start: startOf(now, 'day'), end: now }) },
	{ name: 'Yesterday', value: 'yesterday', at: (now) => whole(now.minus({ days: 1 }), 'day') },
	{ name: 'Last 7 Days', value: 'last7Days', ...lastDays(7) },
	{ name: 'Last 30 Days', value: 'last30Days', ...lastDays(30) },
	{
		name: 'This Week (From Monday)',
		value: 'thisWeek',
		at: (now) => ({ start: startOf(now, 'week'), end: now }),
	},
	{
		name: 'This Month',
		value: 'thisMonth',
		at: (now) => ({ start: startOf(now, 'month'), end: now }),
	},
	{ name: 'Last Month', value: 'lastMonth', at: (now) => whole(now.minus({ months: 1 }), 'month') },
];

const CUSTOM = { name: 'Custom', value: 'custom' };

interface RangeOptions {
	/** Whether it is a range of whole days. Such a range has no preset in hours. */
	inDays: boolean;
	initially: string;
	about: string;
	start: { name: string; about: string };
	/** Without it, the range ends now. */
	end: { name: string; about: string };
}

/**
 * "Time Range": a preset, or the range that the user enters.
 *
 * @param turn what the service takes as the range; throws InvalidParameter if it starts after its end
 */
function rangeField<Value>(
	{ inDays, initially, about, ...names }: RangeOptions,
	turn: (range: Range, now: DateTime) => Value,
): Field<Value> {
	const presets = PRESETS.filter(({ value }) => !(inDays && value === 'last24Hours'));
	const choices = [...presets.map(({ name, value }) => ({ name, value })), CUSTOM];
	const timeRange = choice({
		...{ label: 'Time Range', choices, default: initially, narrows: true, about },
	});
	const custom = { dateOnly: inDays, show: { timeRange: [CUSTOM.value] } };
	const { about: aboutStart } = names.start;
	const start = moment({
		...{ label: 'Start', edge: 'start', required: true, ...custom, about: aboutStart },
	});
	const end = moment({
		...{ label: 'End', edge: 'end', narrows: true, ...custom, about: names.end.about },
	});
	return {
		properties: () => [
			...timeRange.properties('timeRange'),
			...start.properties(names.start.name),
			...end.properties(names.end.name),
		],
		read(parameters) {
			const now = DateTime.now().setZone(parameters.timezone);
			const chosen = timeRange.read(parameters, 'timeRange');
			const preset = PRESETS.find(({ value }) => value === chosen);
			if (preset) return turn(((inDays && preset.daysAt) || preset.at)(now), now);
			const from = start.read(parameters, names.start.name);
			const to = end.read(parameters, names.end.name);
			return turn(checked(inDays ? from.startOf('day') : from, to, now, inDays), now);
		},
	};
}

/** @throws InvalidParameter for a range that starts after it ends */
function checked(
	start: DateTime,
	end: DateTime | undefined,
	now: DateTime,
	inDays: boolean,
): Range {
	if (start <= (end ?? now)) return { start, end: end ?? now };
	const shown = (time: DateTime) => (inDays ? time.toISODate() : time.toISO());
	const shownEnd = end ? shown(end) : inDays ? 'today' : 'now';
	throw new InvalidParameter('Start', `must not be after End (${shownEnd})`, shown(start));
}

/** How far the service's clock may be ahead. */
const CLOCK_SKEW = { minutes: 5 };

/**
 * The chosen range. One that is still open ends a little after now, so that the newest records are
 * in it even if the service's clock is ahead.
 */
export const timeRange = rangeField(
	{
		inDays: false,
		initially: 'last24Hours',
		about:
			"Which records to get, by creation time, in the workflow's time zone (workflow settings → Timezone)",
		start: { name: 'startTime', about: 'Start of the range, in the time zone of the workflow' },
		end: {
			name: 'endTime',
			about: 'End of the range, in the time zone of the workflow. Leave empty for now.',
		},
	},
	({ start, end }, now): TimeRange => {
		const isOpen = start <= now && end >= now;
		return {
			startTime: timestamp(start),
			endTime: timestamp(isOpen ? now.plus(CLOCK_SKEW) : end),
		};
	},
);

/** A time as the service takes it (contract 4.1). */
export function timestamp(time: DateTime): string {
	return time.toUTC().toISO() ?? '';
}

/** The chosen days as YYYY-MM-DD, both inclusive, in the workflow's time zone (contract 4.4). */
export const dateRange = rangeField(
	{
		inDays: true,
		initially: 'last7Days',
		about:
			'Which days to report, including today. The service counts the days, in its own time zone, so its figures can differ from Call > Get Many.',
		start: { name: 'startDate', about: 'First day to report' },
		end: { name: 'endDate', about: 'Last day to report. Leave empty for today.' },
	},
	({ start, end }): Pick<AnalyticsQuery, 'startDate' | 'endDate'> => ({
		startDate: start.toISODate() ?? '',
		endDate: end.toISODate() ?? '',
	}),
);

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}.*)$/i;

interface MomentOptions extends Omit<FieldOptions<string>, 'default' | 'prefill'> {
	/** Which end of a range it is, for a date without a time. */
	edge: 'start' | 'end';
	/** Whether the date picker offers days only. */
	dateOnly?: boolean;
}

/** A date and time, or a day, in the workflow's time zone. */
function moment(options: MomentOptions & { required: true }): Field<DateTime>;
function moment(options: MomentOptions): Field<DateTime | undefined>;
function moment({ edge, dateOnly, ...options }: MomentOptions): Field<DateTime | undefined> {
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
function startOf(time: DateTime, unit: Unit): DateTime {
	return atEdge(time.startOf(unit), 'start');
}

/** The last millisecond of a day, week or month. */
function endOf(time: DateTime, unit: Unit): DateTime {
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
