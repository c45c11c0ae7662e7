import { DateTime } from 'luxon';

import { choice } from '../../../shared/fields/choice';
import type { Field } from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { endOf, moment, startOf } from './moment';

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
export function rangeField<Value>(
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
