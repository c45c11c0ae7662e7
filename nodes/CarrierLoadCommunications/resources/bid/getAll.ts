import { listFilters, readListFilters } from '../../../shared/fields/listFilters';
import { outputFields } from '../../../shared/fields/output';
import { limitFields, readPaging } from '../../../shared/fields/paging';
import { optionsField, pageOptions, requestOptions } from '../../../shared/fields/requestOptions';
import { readTimeRange, timeRangeFields } from '../../../shared/fields/timeRange';
import { perItem } from '../../operations/readOperation';
import { connectFor, readShape, toItems } from '../../operations/rows';

/** The fields of a sales bid (contract 2.5): few enough to need them all. */
export const bidFields = {
	simplified: [
		'loadId',
		'originLocation',
		'destinationLocation',
		'carrierMc',
		'carrierDot',
		'callerName',
		'phoneNumber',
		'extension',
		'callDateTime',
		'callSummary',
	],
	more: [],
} as const;

export const getAll = perItem({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many bids of carriers on loads (read only)',
	description: 'List the bids that carriers made on loads: lane, carrier, contact and call summary',
	fields: [
		...timeRangeFields,
		...limitFields,
		...outputFields(bidFields),
		listFilters(),
		optionsField([...pageOptions, ...requestOptions]),
	],
	async executeItem(context, parameters, notify) {
		const shape = readShape(context, parameters, bidFields);
		const query = {
			...readTimeRange(parameters, context.getTimezone()),
			...readListFilters(parameters),
		};
		const paging = readPaging(parameters);
		const client = await connectFor(context, parameters);
		const { rows, hint } = await client.listBids(query, paging);
		notify(hint);
		return toItems(rows, shape);
	},
});
