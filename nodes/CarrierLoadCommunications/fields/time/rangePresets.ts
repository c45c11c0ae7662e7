import type { DateTime } from 'luxon';

import type { Choice } from '../../../shared/fields/choice';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';

/** Both ends of a range, in the workflow's time zone. */
export interface Range {
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
	start: moment.startOf(unit),
	end: moment.endOf(unit),
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
	{ name: 'Today', value: 'today', at: (now) => ({ start: now.startOf('day'), end: now }) },
	{ name: 'Yesterday', value: 'yesterday', at: (now) => whole(now.minus({ days: 1 }), 'day') },
	{ name: 'Last 7 Days', value: 'last7Days', ...lastDays(7) },
	{ name: 'Last 30 Days', value: 'last30Days', ...lastDays(30) },
	{
		name: 'This Week (From Monday)',
		value: 'thisWeek',
		at: (now) => ({ start: now.startOf('week'), end: now }),
	},
	{
		name: 'This Month',
		value: 'thisMonth',
		at: (now) => ({ start: now.startOf('month'), end: now }),
	},
	{ name: 'Last Month', value: 'lastMonth', at: (now) => whole(now.minus({ months: 1 }), 'month') },
];

export const CUSTOM = 'custom';

/** The dropdown's options. A report by days has none in hours. */
export function presetChoices({ inDays }: { inDays: boolean }): Choice[] {
	const presets = PRESETS.filter(({ value }) => !(inDays && value === 'last24Hours'));
	return [
		...presets.map(({ name, value }) => ({ name, value })),
		{ name: 'Custom', value: CUSTOM },
	];
}

/**
 * The chosen range.
 *
 * @param custom the range that the user entered; without an end, it is a range up to now
 * @throws InvalidParameter if that starts after it ends
 */
export function chosenRange(
	value: string,
	now: DateTime,
	{ inDays }: { inDays: boolean },
	custom: () => { start: DateTime; end: DateTime | undefined },
): Range {
	const preset = PRESETS.find((candidate) => candidate.value === value);
	if (preset) return ((inDays && preset.daysAt) || preset.at)(now);
	const { start, end } = custom();
	if (start <= (end ?? now)) return { start, end: end ?? now };
	const shown = (time: DateTime) => (inDays ? time.toISODate() : time.toISO());
	const shownEnd = end ? shown(end) : inDays ? 'today' : 'now';
	throw new InvalidParameter('Start', `must not be after End (${shownEnd})`, shown(start));
}
