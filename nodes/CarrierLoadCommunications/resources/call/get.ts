import { fields } from '../../../shared/fields/collection';
import { readOperation } from '../../operations/readOperation';
import { lookUp, lookUpFields } from './lookUp';
import { RECORDS } from '../../../shared/columns/records';

const declared = lookUpFields();

export const get = readOperation({
	name: 'Get',
	value: 'get',
	action: 'Get a call',
	description: 'Get a past call and its outcome',
	fields: declared,
	options: {},
	rows: RECORDS.calls,
	read: async (asked, run) => ({ rows: [await lookUp(run, asked, fields(declared).read)] }),
});
