import { collection } from '../../shared/fields/collection';
import type { Field } from '../../shared/fields/field';
import { runsAsTool } from '../../shared/fields/runsAsTool';
import { DEFAULT_PAGE_SIZE } from '../../shared/service/http/defaults';
import { limit } from '../fields/limit';
import { RECORDS, type ListName } from '../../shared/columns/records';
import { pageOptions } from '../fields/requestOptions';
import { timeRange } from '../fields/time/timeRange';
import type { Operation } from './operation';
import { readOperation } from './readOperation';

/** As many rows as an agent's model can still make use of. */
const AGENT_LIMIT = 500;

const CAPPED = `Only the first ${AGENT_LIMIT} records are returned to an agent: there may be more. Narrow the time range or add filters.`;

export interface ListOperation {
	action: string;
	description: string;
	filters: Record<string, Field<string | undefined>>;
	list: ListName;
}

/** "Get Many" for a list of a time range that comes in pages (contract 4.1). */
export function listOperation(operation: ListOperation): Operation {
	const { list, filters, ...others } = operation;
	return readOperation({
		...others,
		rows: RECORDS[list],
		name: 'Get Many',
		value: 'getAll',
		fields: { timeRange, filters: collection('Filters', 'Add Filter', filters), limit },
		options: pageOptions,
		async read({ timeRange: range, filters: chosen, limit: max, options }, { client, context }) {
			const isCapped = max === undefined && runsAsTool(context);
			const pageSize = DEFAULT_PAGE_SIZE;
			const paging = { ...options, pageSize, limit: isCapped ? AGENT_LIMIT : max };
			const read = await client.readList(list, { ...range, ...chosen }, paging);
			if (!isCapped || read.rows.length < AGENT_LIMIT) return read;
			return { ...read, hint: read.hint === undefined ? CAPPED : `${read.hint} ${CAPPED}` };
		},
	});
}
