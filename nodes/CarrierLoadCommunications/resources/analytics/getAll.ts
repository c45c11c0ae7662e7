import type { IDataObject } from 'n8n-workflow';

import { choice, type Choice } from '../../../shared/fields/simpleFields';
import { ANALYTICS_METRICS, type AnalyticsMetric } from '../../../shared/service/contract';
import { isJsonObject } from '../../../shared/service/json';
import { dateRange } from '../../fields/timeRange';
import { readOperation } from '../../operations/readOperation';

/**
 * A day's fields (contract 2.7), with its metrics next to the date. Which other metrics the service
 * returns on request is a contract gap (4.9).
 */
const analyticsFields = {
	simplified: [
		'date',
		'totalCalls',
		'successfulCalls',
		'averageCallDuration',
		'totalBids',
		'acceptedBids',
	],
	more: [],
	keepUnknown: true,
} as const;

const METRIC_NAMES: Record<AnalyticsMetric, string> = {
	average_rate: 'Average Rate',
	avg_call_duration: 'Average Call Duration (Unit Not Documented)',
	total_bids: 'Total Bids',
	call_volume: 'Call Volume',
	loads_touched: 'Loads Touched',
	loads_booked: 'Loads Booked',
};

const METRICS: Array<Choice<AnalyticsMetric | ''>> = [
	{ name: 'All Metrics', value: '' },
	...ANALYTICS_METRICS.map((value) => ({ name: METRIC_NAMES[value], value })),
];

export const getAll = readOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get daily analytics',
	description:
		'Report calls, bids and the average call duration (unit not documented), one item for each day',
	fields: {
		dateRange,
		metric: choice({
			label: 'Metric',
			choices: METRICS,
			default: '',
			about: 'Which metric to request',
		}),
	},
	options: {},
	rows: analyticsFields,
	aboutOutput: {
		simplified: 'One row per day, with each metric in its own column',
		all: 'Everything the service sends, with the metrics under "metrics"',
	},
	async read({ dateRange: range, metric, output }, { client }) {
		const { rows, hint } = await client.getAnalytics({ ...range, metric: metric || undefined });
		return { rows: output.level === 'all' ? rows : rows.map(flat), hint };
	},
});

function flat({ metrics = null, ...day }: IDataObject): IDataObject {
	if (isJsonObject(metrics)) return { ...day, ...metrics, ...day };
	return metrics === null ? day : { ...day, metrics };
}
