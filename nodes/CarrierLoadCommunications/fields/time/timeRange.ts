import type { DateTime } from 'luxon';

import type { TimeRange } from '../../../shared/service/contract';
import { rangeField } from './rangeField';

/** How far the service's clock may be ahead. */
const CLOCK_SKEW = { minutes: 5 };

/**
 * The chosen range. One that is still open ends a little after now, so that the newest records are
 * in it even if the service's clock is ahead; where it ends exactly, the first page decides
 * (`frozenEnd`).
 */
export const timeRange = rangeField(
	{
		inDays: false,
		initially: 'last24Hours',
		about: 'Which records to get, by creation time, in the time zone of the workflow',
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
