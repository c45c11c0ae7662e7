import { listFilters, readListFilters } from '../../../shared/fields/listFilters';
import { outputFields } from '../../../shared/fields/output';
import { limitFields, readPaging } from '../../../shared/fields/paging';
import { optionsField, pageOptions, requestOptions } from '../../../shared/fields/requestOptions';
import { readTimeRange, timeRangeFields } from '../../../shared/fields/timeRange';
import { perItem } from '../../operations/readOperation';
import { connectFor, readShape, toItems } from '../../operations/rows';
import { callFields } from './rowFields';

export const getAll = perItem({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many past calls (read only)',
	description: 'List past phone calls with their summaries, loads and carriers. Dials no one.',
	fields: [
		...timeRangeFields,
		...limitFields,
		...outputFields(callFields),
		listFilters(),
		optionsField([...pageOptions, ...requestOptions]),
	],
	async executeItem(context, parameters, notify) {
		const shape = readShape(context, parameters, callFields);
		const query = {
			...readTimeRange(parameters, context.getTimezone()),
			...readListFilters(parameters),
		};
		const paging = readPaging(parameters);
		const client = await connectFor(context, parameters);
		const { rows, hint } = await client.listCalls(query, paging);
		notify(hint);
		return toItems(rows, shape);
	},
});
