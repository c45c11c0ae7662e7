import { outputFields } from '../../../shared/fields/output';
import { optionsField, requestOptions } from '../../../shared/fields/requestOptions';
import { perItem } from '../../operations/readOperation';
import { connectFor, readShape, toItems } from '../../operations/rows';
import { callIdField, lookUp, lookUpFields, readWanted } from './lookUp';
import { callFields } from './rowFields';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get one past call by ID (read only)',
	description: 'Find a past call and return what came of it. Dials no one.',
	fields: [callIdField, ...lookUpFields, ...outputFields(callFields), optionsField(requestOptions)],
	async executeItem(context, parameters) {
		const shape = readShape(context, parameters, callFields);
		const wanted = readWanted(parameters);
		const client = await connectFor(context, parameters);
		return toItems([await lookUp(client, wanted)], shape);
	},
});
