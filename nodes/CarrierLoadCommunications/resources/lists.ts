import type { IDataObject } from 'n8n-workflow';

import { RECORDS, type ListName } from '../../shared/columns/records';
import { collection } from '../../shared/fields/collection';
import type { Field } from '../../shared/fields/field';
import { laneFilters, recordFilters } from '../../shared/fields/locator';
import { runsAsTool } from '../../shared/fields/parameters';
import { choice } from '../../shared/fields/simpleFields';
import type { AnalyticsMetric } from '../../shared/service/contract';
import { isJsonObject } from '../../shared/service/json';
import { limit } from '../fields/requestOptions';
import { dateRange, timeRange } from '../fields/timeRange';
import type { Operation } from '../operations/operation';
import { readOperation } from '../operations/readOperation';

/** As many rows as an agent's model can still make use of. */
const AGENT_LIMIT = 500;

const CAPPED = `Only the first ${AGENT_LIMIT} records are returned to an agent: there may be more. Narrow the time range or add filters.`;

/** "Get Many" for a list of a time range that comes in pages (contract 4.1). */
function getMany(
	list: ListName,
	description: string,
	filters: Record<string, Field<string | undefined>> = recordFilters,
): Operation {
	return readOperation({
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${list}`,
		description,
		rows: RECORDS[list],
		fields: { timeRange, filters: collection('Filters', 'Add Filter', filters), limit },
		async read({ timeRange: range, filters: chosen, limit: max }, { client, context }) {
			const isCapped = max === undefined && runsAsTool(context);
			const most = isCapped ? AGENT_LIMIT : max;
			const read = await client.readList(list, { ...range, ...chosen }, most);
			if (!isCapped || read.rows.length < AGENT_LIMIT) return read;
			return { ...read, hint: read.hint === undefined ? CAPPED : `${read.hint} ${CAPPED}` };
		},
	});
}

export const getBids = getMany(
	'bids',
	'List the bids that carriers made on loads: lane, carrier, contact and call summary',
);

export const getCalls = getMany(
	'calls',
	'List past phone calls with their summaries, loads and carriers',
);

export const getConversations = getMany(
	'conversations',
	'List phone and email conversations with their summaries, loads and bids',
	{ ...recordFilters, ...laneFilters() },
);

/**
 * A day's fields (contract 2.7), with its metrics next to the date. Which other metrics the service
 * returns on request is a contract gap (4.9).
 */
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
		const { rows, hint } = await client.getAnalytics({ ...range, metric: metric || undefined });
		return { rows: output.level === 'all' ? rows : rows.map(flat), hint };
	},
});

function flat({ metrics = null, ...day }: IDataObject): IDataObject {
	if (isJsonObject(metrics)) return { ...day, ...metrics, ...day };
	return metrics === null ? day : { ...day, metrics };
}
