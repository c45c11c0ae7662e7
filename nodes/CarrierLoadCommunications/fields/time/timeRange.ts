import { DateTime } from 'luxon';

import { choice } from '../../../shared/fields/choice';
import { group } from '../../../shared/fields/field';
import type { TimeRange } from '../../../shared/service/contract';
import { moment } from './moment';
import { chosenRange, CUSTOM, presetChoices } from './rangePresets';

const show = { timeRange: [CUSTOM] };

/** How far the service's clock may be ahead. */
const CLOCK_SKEW = { minutes: 5 };

/**
 * The chosen range. One that is still open ends a little after now, so that the newest records are
 * in it even if the service's clock is ahead; where it ends exactly, the first page decides
 * (`frozenEnd`).
 */
export const timeRange = group(
	{
		timeRange: choice({
			label: 'Time Range',
			choices: presetChoices({ inDays: false }),
			default: 'last24Hours',
			about: 'Which records to get, by creation time, in the time zone of the workflow',
		}),
		startTime: moment({
			label: 'Start',
			edge: 'start',
			required: true,
			show,
			about: 'Start of the range, in the time zone of the workflow',
		}),
		endTime: moment({
			label: 'End',
			edge: 'end',
			show,
			about: 'End of the range, in the time zone of the workflow. Leave empty for now.',
		}),
	},
	(read, parameters): TimeRange => {
		const now = DateTime.now().setZone(parameters.timezone);
		const range = chosenRange(read('timeRange'), now, { inDays: false }, () => ({
			start: read('startTime'),
			end: read('endTime'),
		}));
		const isOpen = range.start <= now && range.end >= now;
		const end = isOpen ? now.plus(CLOCK_SKEW) : range.end;
		return { startTime: timestamp(range.start), endTime: timestamp(end) };
	},
);

/** A time as the service takes it (contract 4.1). */
export function timestamp(time: DateTime): string {
	return time.toUTC().toISO() ?? '';
}
