import type { DateTime } from 'luxon';

import type { Field, FieldOptions } from '../../shared/fields/fieldTypes';
import { choice, simpleField } from '../../shared/fields/simpleFields';
import type { AnalyticsQuery } from '../../shared/service/contract';
import { isoText, readMoment, readRange, toTimeRange } from './readTimeRange';
import type { Preset, Range } from './readTimeRange';

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
		read: readRange({ timeRange, presets, inDays }, [start, startName], [end, endName], turn),
	};
}

export const timeRange = rangeField(
	{
		inDays: false,
		initially: 'last24Hours',
		about:
			"Which records to get, by creation time, in the workflow's time zone (workflow settings → Timezone)",
	},
	toTimeRange,
);

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
	const written = simpleField('dateTime', options, isoText, picker);
	return { ...written, read: readMoment(edge, isDay, options.label, written) };
}
