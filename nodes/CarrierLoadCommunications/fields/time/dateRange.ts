import { DateTime } from 'luxon';

import { choice } from '../../../shared/fields/choice';
import { group } from '../../../shared/fields/field';
import type { AnalyticsQuery } from '../../../shared/service/contract';
import { moment } from './moment';
import { chosenRange, CUSTOM, presetChoices } from './rangePresets';

const show = { timeRange: [CUSTOM] };

/** The chosen days as YYYY-MM-DD, both inclusive, in the workflow's time zone (contract 4.4). */
export const dateRange = group(
	{
		timeRange: choice({
			label: 'Time Range',
			choices: presetChoices({ inDays: true }),
			default: 'last7Days',
			about:
				'Which days to report, in the time zone of the workflow. The last 7 or 30 days include today.',
		}),
		startDate: moment({
			label: 'Start',
			edge: 'start',
			dateOnly: true,
			required: true,
			show,
			about: 'First day to report',
		}),
		endDate: moment({
			label: 'End',
			edge: 'end',
			dateOnly: true,
			show,
			about: 'Last day to report. Leave empty for today.',
		}),
	},
	(read, parameters): Pick<AnalyticsQuery, 'startDate' | 'endDate'> => {
		const now = DateTime.now().setZone(parameters.timezone);
		const { start, end } = chosenRange(read('timeRange'), now, { inDays: true }, () => ({
			start: read('startDate').startOf('day'),
			end: read('endDate'),
		}));
		return { startDate: start.toISODate() ?? '', endDate: end.toISODate() ?? '' };
	},
);
