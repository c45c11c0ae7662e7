import { recordFilters } from '../../../shared/fields/locator';
import { listOperation } from '../../operations/readOperation';

export const getAll = listOperation({
	action: 'Get many calls',
	description: 'List past phone calls with their summaries, loads and carriers',
	filters: recordFilters,
	list: 'calls',
});
