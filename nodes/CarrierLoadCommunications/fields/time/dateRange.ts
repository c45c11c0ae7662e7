import type { AnalyticsQuery } from '../../../shared/service/contract';
import { rangeField } from './rangeField';

/** The chosen days as YYYY-MM-DD, both inclusive, in the workflow's time zone (contract 4.4). */
export const dateRange = rangeField(
	{
		inDays: true,
		initially: 'last7Days',
		about:
			'Which days to report, in the time zone of the workflow. The last 7 or 30 days include today.',
		start: { name: 'startDate', about: 'First day to report' },
		end: { name: 'endDate', about: 'Last day to report. Leave empty for today.' },
	},
	({ start, end }): Pick<AnalyticsQuery, 'startDate' | 'endDate'> => ({
		startDate: start.toISODate() ?? '',
		endDate: end.toISODate() ?? '',
	}),
);
