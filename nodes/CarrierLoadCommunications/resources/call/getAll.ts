import { listFilters, readListFilters } from '../../../shared/parameters/listFilters';
import { outputFields } from '../../../shared/parameters/output';
import { limitFields, readPaging } from '../../../shared/parameters/paging';
import {
	optionsField,
	pageOptions,
	requestOptions,
} from '../../../shared/parameters/requestOptions';
import { readTimeRange, timeRangeFields } from '../../../shared/parameters/timeRange';
import { perItem } from '../perItem';
import { connectFor, readShape, toItems } from '../reading';
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
