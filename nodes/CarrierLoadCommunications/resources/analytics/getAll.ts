import type { IDataObject } from 'n8n-workflow';

import { dateRangeFields, readDateRange } from '../../../shared/fields/dateRange';
import { outputFields } from '../../../shared/fields/output';
import { optionsField, requestOptions } from '../../../shared/fields/requestOptions';
import { ANALYTICS_METRICS } from '../../../shared/service/contract/analytics';
import { isJsonObject } from '../../../shared/service/http/json';
import { perItem } from '../../operations/readOperation';
import { connectFor, readShape, toItems } from '../../operations/rows';

/**
 * The fields of a day (contract 2.7), its metrics beside the date. Which others come when a metric
 * is asked for is a gap of the contract (4.9).
 */
export const analyticsFields = {
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

const METRIC_NAMES: Record<(typeof ANALYTICS_METRICS)[number], string> = {
	average_rate: 'Average Rate',
	avg_call_duration: 'Average Call Duration',
	total_bids: 'Total Bids',
	call_volume: 'Call Volume',
	loads_touched: 'Loads Touched',
	loads_booked: 'Loads Booked',
};

export const getAll = perItem({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get daily figures of calls and bids (read only)',
	description: 'Report calls, durations and bids, one item for each day',
	fields: [
		...dateRangeFields,
		{
			displayName: 'Metric',
			name: 'metric',
			type: 'options',
			options: [
				{ name: 'All Metrics', value: '' },
				...ANALYTICS_METRICS.map((value) => ({ name: METRIC_NAMES[value], value })),
			],
			default: '',
			description: 'Which metric to ask the service for',
		},
		...outputFields(analyticsFields, {
			simplified: 'The date and each metric beside it, as a row of a spreadsheet',
			all: 'Everything that the service sends, with the metrics under "metrics"',
		}),
		optionsField(requestOptions),
	],
	async executeItem(context, parameters, notify) {
		const shape = readShape(context, parameters, analyticsFields);
		const metric = parameters.optionalChoice(
			{ name: 'metric', displayName: 'Metric' },
			ANALYTICS_METRICS,
		);
		const query = { ...readDateRange(parameters, context.getTimezone()), metric };
		const client = await connectFor(context, parameters);
		const { rows, hint } = await client.getAnalytics(query);
		notify(hint);
		return toItems(parameters.raw('output') === 'all' ? rows : rows.map(flat), shape);
	},
});

/** The metrics beside the date. */
function flat({ metrics, ...day }: IDataObject): IDataObject {
	return isJsonObject(metrics) ? { ...day, ...metrics, ...day } : day;
}
