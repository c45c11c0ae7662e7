import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { readMoment } from './customTime';
import { InvalidParameter } from './invalidParameter';
import type { Parameters } from './parameters';
import { CUSTOM, presetOptions, presetRange, type Range } from './rangePresets';

/** A range of time as the lists take it: ISO 8601 with zone (contract 4.1). */
export interface TimeRange {
	startTime: string;
	endTime: string;
}

const DEFAULT_PRESET = 'last24Hours';

export const timeRangeFields: INodeProperties[] = [
	{
		displayName: 'Time Range',
		name: 'timeRange',
		type: 'options',
		options: presetOptions({ inDays: false }),
		default: DEFAULT_PRESET,
		description: 'Which records to read, by when they were made, in the time zone of the workflow',
	},
	{
		displayName: 'Start',
		name: 'startTime',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: { show: { timeRange: [CUSTOM] } },
		description: 'First moment to read, in the time zone of the workflow',
	},
	{
		displayName: 'End',
		name: 'endTime',
		type: 'dateTime',
		default: '',
		displayOptions: { show: { timeRange: [CUSTOM] } },
		description: 'Last moment to read, in the time zone of the workflow. Leave empty for now.',
	},
];

/**
 * The chosen range, frozen: "now" is read once, and a range that is still open ends there, so that
 * records made while a list is read cannot shift its pages.
 *
 * @param zone the workflow's time zone, for the presets and for text that names none
 * @throws InvalidParameter for an unreadable time, or a start after the end
 */
export function readTimeRange(parameters: Parameters, zone: string): TimeRange {
	const now = DateTime.now().setZone(zone);
	const preset = parameters.raw('timeRange') ?? DEFAULT_PRESET;
	const range = presetRange(preset, now) ?? readCustom(parameters, preset, now, zone);
	const end = range.start <= now && range.end > now ? now : range.end;
	return { startTime: timestamp(range.start), endTime: timestamp(end) };
}

function readCustom(parameters: Parameters, preset: unknown, now: DateTime, zone: string): Range {
	if (preset !== CUSTOM) {
		throw new InvalidParameter('Time Range', 'is not one of the list', preset);
	}
	const start = readMoment('Start', parameters.raw('startTime'), zone, 'start');
	const typedEnd = parameters.raw('endTime');
	const end = typedEnd === undefined ? now : readMoment('End', typedEnd, zone, 'end');
	if (start <= end) return { start, end };
	const shownEnd = typedEnd === undefined ? 'now' : end.toISO();
	throw new InvalidParameter('Start', `must not be after End (${shownEnd})`, start.toISO());
}

function timestamp(moment: DateTime): string {
	return moment.toUTC().toISO() ?? '';
}
