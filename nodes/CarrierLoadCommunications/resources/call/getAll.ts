import { recordFilters } from '../../../shared/fields/recordFilters';
import { listOperation } from '../../operations/listOperation';
import { callFields } from './rowFields';

export const getAll = listOperation({
	action: 'Get many calls',
	description: 'List past phone calls with their summaries, loads and carriers',
	rows: callFields,
	filters: recordFilters,
	list: 'calls',
});
