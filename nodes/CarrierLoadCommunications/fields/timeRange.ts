import { DateTime } from 'luxon';

import type { Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { choice, simpleField } from '../../shared/fields/simpleFields';
import type { FieldOptions } from '../../shared/fields/fieldOptions';
import type { TimeRange, AnalyticsQuery } from '../../shared/service/contract';

/** Both ends of a range, in the workflow's time zone. */
interface Range {
	start: DateTime;
	end: DateTime;
}

const since = (unit: 'day' | 'week' | 'month') => (now: DateTime) => {
	return { start: now.startOf(unit), end: now };
};

/** The whole one before this. */
const previous = (unit: 'day' | 'month') => (now: DateTime) => {
	const then = now.minus({ [unit]: 1 });
	return { start: then.startOf(unit), end: then.endOf(unit) };
};

const lastDays = (days: number) => (now: DateTime, inDays: boolean) => {
	return { start: now.minus({ days: inDays ? days - 1 : days }), end: now };
};

interface Preset {
	name: string;
	value: string;
	/** @param now in the workflow's time zone @param inDays whether whole days are counted, with today */
	range(now: DateTime, inDays: boolean): Range;
}

/** In the order of the dropdown. Weeks start on Monday. */
const PRESETS: readonly Preset[] = [
	{
		name: 'Last 24 Hours',
		value: 'last24Hours',
		range: (now) => ({ start: now.minus({ hours: 24 }), end: now }),
	},
	{ name: 'Today', value: 'today', range: since('day') },
	{ name: 'Yesterday', value: 'yesterday', range: previous('day') },
	{ name: 'Last 7 Days', value: 'last7Days', range: lastDays(7) },
	{ name: 'Last 30 Days', value: 'last30Days', range: lastDays(30) },
	{ name: 'This Week (From Monday)', value: 'thisWeek', range: since('week') },
	{ name: 'This Month', value: 'thisMonth', range: since('month') },
	{ name: 'Last Month', value: 'lastMonth', range: previous('month') },
];

const CUSTOM = { name: 'Custom', value: 'custom' };

/**
 * "Time Range": a preset, or the range that the user enters.
 *
 * @param inDays whether it is a range of whole days, which has no preset in hours
 * @param turn what the service takes as the range
 */
function rangeField<Value>(
	{ inDays, initially, about }: { inDays: boolean; initially: string; about: string },
	turn: (range: Range, now: DateTime) => Value,
): Field<Value> {
	const presets = PRESETS.filter(({ value }) => !(inDays && value === 'last24Hours'));
	const choices = [...presets.map(({ name, value }) => ({ name, value })), CUSTOM];
	const label = 'Time Range';
	const timeRange = choice({ label, choices, default: initially, narrows: true, about });
	const [startName, endName] = inDays ? ['startDate', 'endDate'] : ['startTime', 'endTime'];
	const show = { timeRange: [CUSTOM.value] };
	const start = moment('start', inDays, {
		...{ label: 'Start', required: true, show },
		about: inDays ? 'First day to report' : 'Start of the range, in the time zone of the workflow',
	});
	const end = moment('end', inDays, {
		...{ label: 'End', narrows: true, show },
		about: inDays
			? 'Last day to report. Leave empty for today.'
			: 'End of the range, in the time zone of the workflow. Leave empty for now.',
	});
	return {
		properties: () => [
			...timeRange.properties('timeRange'),
			...start.properties(startName),
			...end.properties(endName),
		],
		read(parameters) {
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
		},
	};
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
	},
	({ start, end }, now): TimeRange => {
		const isOpen = start <= now && end >= now;
		const endTime = timestamp(isOpen ? now.plus(CLOCK_SKEW) : end);
		return { startTime: timestamp(start), endTime };
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
	},
	({ start, end }): Pick<AnalyticsQuery, 'startDate' | 'endDate'> => ({
		startDate: start.toISODate() ?? '',
		endDate: end.toISODate() ?? '',
	}),
);

/** A date and time, or a day, in the workflow's time zone. @param edge which end of a range it is */
function moment(
	edge: 'start' | 'end',
	isDay: boolean,
	options: FieldOptions<string>,
): Field<DateTime | undefined> {
	const picker = isDay ? { typeOptions: { dateOnly: true } } : {};
	const written = simpleField('dateTime', options, textOf, picker);
	return {
		...written,
		read(parameters, name) {
			const text = written.read(parameters, name);
			if (text === undefined) return undefined;
			const read = readMoment(text, parameters.timezone, edge, isDay);
			if (read) return read;
			const problem =
				'must be a date such as 2026-03-08, or a date and time such as 2026-03-08T14:30:00';
			throw new InvalidParameter(options.label, problem, text);
		},
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
 *
 * @param zone time zone of the result, and of text without one
 */
function readMoment(text: string, zone: string, edge: 'start' | 'end', isDay: boolean) {
	const [, date = '', time] = DATE.exec(text) ?? [];
	const isDate = time === undefined || (isDay && UTC_MIDNIGHT.test(time));
	const read = DateTime.fromISO(isDate ? date : `${date}T${time}`, { zone });
	if (!read.isValid) return undefined;
	if (isDate || isDay) return edge === 'start' ? read.startOf('day') : read.endOf('day');
	if (edge === 'start' || !time.endsWith(':59')) return read;
	return read.endOf(time.length > '23:59'.length ? 'second' : 'minute');
}

/** A Date, and a DateTime of any copy of Luxon, is ISO text in JSON. Empty for what is not text. */
function textOf(value: unknown): string {
	try {
		const plain: unknown = JSON.parse(JSON.stringify(value));
		return typeof plain === 'string' ? plain.trim() : '';
	} catch {
		return '';
	}
}
