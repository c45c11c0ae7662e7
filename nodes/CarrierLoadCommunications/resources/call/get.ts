import { readOperation } from '../../operations/readOperation';
import { lookUp, lookUpFields } from './lookUp';
import { callFields } from './rowFields';

export const get = readOperation({
	name: 'Get',
	value: 'get',
	action: 'Get one past call by ID (read only)',
	description: 'Get a past call and its outcome. Does not place a call.',
	fields: lookUpFields(),
	options: {},
	rows: callFields,
	read: async (asked, { client }) => ({ rows: [await lookUp(client, asked)] }),
});
