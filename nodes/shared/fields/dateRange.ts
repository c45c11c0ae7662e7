import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import type { AnalyticsQuery } from '../service/contract/analytics';
import { readMoment } from './customTime';
import { InvalidParameter } from './invalidParameter';
import type { Parameters } from './parameters';
import { CUSTOM, presetDays, presetOptions, type Range } from './rangePresets';

const DEFAULT_PRESET = 'last7Days';

export const dateRangeFields: INodeProperties[] = [
	{
		displayName: 'Time Range',
		name: 'timeRange',
		type: 'options',
		options: presetOptions({ inDays: true }),
		default: DEFAULT_PRESET,
		description: 'Which days to report, in the time zone of the workflow, today included',
	},
	{
		displayName: 'Start',
		name: 'startDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		required: true,
		displayOptions: { show: { timeRange: [CUSTOM] } },
		description: 'First day to report',
	},
	{
		displayName: 'End',
		name: 'endDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		displayOptions: { show: { timeRange: [CUSTOM] } },
		description: 'Last day to report. Leave empty for today.',
	},
];

/**
 * The chosen range in days, both ends included, as YYYY-MM-DD (contract 4.4).
 *
 * @param zone the workflow's time zone: a day begins and ends there
 * @throws InvalidParameter for an unreadable date, or a start after the end
 */
export function readDateRange(
	parameters: Parameters,
	zone: string,
): Pick<AnalyticsQuery, 'startDate' | 'endDate'> {
	const now = DateTime.now().setZone(zone);
	const preset = parameters.raw('timeRange') ?? DEFAULT_PRESET;
	const known = preset === 'last24Hours' ? undefined : presetDays(preset, now);
	const { start, end } = known ?? readCustom(parameters, preset, now, zone);
	return { startDate: start.toISODate() ?? '', endDate: end.toISODate() ?? '' };
}

function readCustom(parameters: Parameters, preset: unknown, now: DateTime, zone: string): Range {
	if (preset !== CUSTOM) {
		throw new InvalidParameter('Time Range', 'is not one of the list', preset);
	}
	const start = readMoment('Start', parameters.raw('startDate'), zone, 'start').startOf('day');
	const typedEnd = parameters.raw('endDate');
	const end = typedEnd === undefined ? now : readMoment('End', typedEnd, zone, 'end');
	if (start <= end) return { start, end };
	const shownEnd = typedEnd === undefined ? 'today' : end.toISODate();
	throw new InvalidParameter('Start', `must not be after End (${shownEnd})`, start.toISODate());
}
