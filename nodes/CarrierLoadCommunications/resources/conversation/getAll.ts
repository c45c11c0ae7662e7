import {
	laneFilters,
	listFilters,
	readFilter,
	readListFilters,
} from '../../../shared/fields/listFilters';
import { outputFields } from '../../../shared/fields/output';
import { limitFields, readPaging } from '../../../shared/fields/paging';
import { optionsField, pageOptions, requestOptions } from '../../../shared/fields/requestOptions';
import { readTimeRange, timeRangeFields } from '../../../shared/fields/timeRange';
import { perItem } from '../../operations/readOperation';
import { connectFor, readShape, toItems } from '../../operations/rows';

/** The fields of a conversation (contract 2.2). */
export const conversationFields = {
	simplified: [
		'id',
		'type',
		'createdAt',
		'callerName',
		'fromPhone',
		'emailFrom',
		'emailSubject',
		'mcNumber',
		'loads',
		'callSummary',
		'totalBids',
		'bidAmounts',
	],
	more: [
		'dotNumber',
		'callerExt',
		'callContentTags',
		'carrierHwConnectionStatus',
		'carrierHwRulesAssessment',
	],
} as const;

export const getAll = perItem({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many past conversations (read only)',
	description: 'List phone and email conversations with their summaries, loads and bids',
	fields: [
		...timeRangeFields,
		...limitFields,
		...outputFields(conversationFields),
		listFilters(laneFilters),
		optionsField([...pageOptions, ...requestOptions]),
	],
	async executeItem(context, parameters, notify) {
		const shape = readShape(context, parameters, conversationFields);
		const query = {
			...readTimeRange(parameters, context.getTimezone()),
			...readListFilters(parameters),
			...readFilter(parameters, 'origin', 'Origin'),
			...readFilter(parameters, 'destination', 'Destination'),
		};
		const paging = readPaging(parameters);
		const client = await connectFor(context, parameters);
		const { rows, hint } = await client.listConversations(query, paging);
		notify(hint);
		return toItems(rows, shape);
	},
});
