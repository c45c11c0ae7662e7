import { recordFilters } from '../../../shared/fields/recordFilters';
import { listOperation } from '../../operations/listOperation';

export const getAll = listOperation({
	action: 'Get many calls',
	description: 'List past phone calls with their summaries, loads and carriers',
	filters: recordFilters,
	list: 'calls',
});
