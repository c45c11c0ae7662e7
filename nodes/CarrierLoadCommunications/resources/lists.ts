import { RECORDS, type ListName } from '../../shared/columns/records';
import { collection } from '../../shared/fields/collection';
import type { Field } from '../../shared/fields/fieldTypes';
import { laneFilters, recordFilters } from '../../shared/fields/locator';
import { runsAsTool } from '../../shared/fields/parameters';
import { limit } from '../fields/requestOptions';
import { timeRange } from '../fields/timeRange';
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

export const getBids = getMany('bids', 'List bids on loads: lane, carrier, contact, call summary');

export const getCalls = getMany('calls', 'List calls with their summaries, loads and carriers');

export const getConversations = getMany(
	'conversations',
	'List phone and email conversations with their summaries, loads and bids',
	{ ...recordFilters, ...laneFilters() },
);
