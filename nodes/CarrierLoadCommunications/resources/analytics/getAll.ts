import type { IDataObject } from 'n8n-workflow';

import { getAnalytics as readAnalytics } from '../../../shared/service/wholeLists';
import { choice } from '../../../shared/fields/simpleFields';
import type { AnalyticsMetric } from '../../../shared/service/contract';
import { isJsonObject } from '../../../shared/service/json';
import { dateRange } from '../../fields/timeRange';
import { readOperation } from '../../operations/readOperation';

/** A day's fields (contract 2.7). Which other metrics the service returns is a contract gap (4.9). */
const analyticsFields = {
	simplified: [
		...['date', 'totalCalls', 'successfulCalls', 'averageCallDuration'],
		...['totalBids', 'acceptedBids'],
	],
	more: [],
	keepUnknown: true,
} as const;

export const getAnalytics = readOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get daily analytics',
	description:
		'Report calls, bids and the average call duration (unit not documented), one item for each day',
	fields: {
		dateRange,
		metric: choice<AnalyticsMetric | ''>({
			label: 'Metric',
			choices: [
				{ name: 'All Metrics', value: '' },
				{ name: 'Average Rate', value: 'average_rate' },
				{ name: 'Average Call Duration (Unit Not Documented)', value: 'avg_call_duration' },
				{ name: 'Total Bids', value: 'total_bids' },
				{ name: 'Call Volume', value: 'call_volume' },
				{ name: 'Loads Touched', value: 'loads_touched' },
				{ name: 'Loads Booked', value: 'loads_booked' },
			],
			default: '',
			about: 'Which metric to request',
		}),
	},
	rows: analyticsFields,
	aboutOutput: {
		simplified: 'One row per day, with each metric in its own column',
		all: 'Everything the service sends, with the metrics under "metrics"',
	},
	async read({ dateRange: range, metric, output }, { client }) {
		const query = { ...range, metric: metric || undefined };
		const { rows, hint } = await readAnalytics(client, query);
		return { rows: output.level === 'all' ? rows : rows.map(flat), hint };
	},
});

function flat({ metrics = null, ...day }: IDataObject): IDataObject {
	if (isJsonObject(metrics)) return { ...day, ...metrics, ...day };
	return metrics === null ? day : { ...day, metrics };
}
