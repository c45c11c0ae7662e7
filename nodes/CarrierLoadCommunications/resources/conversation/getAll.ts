import { laneFilters, recordFilters } from '../../../shared/fields/recordFilters';
import { listOperation } from '../../operations/listOperation';

export const getAll = listOperation({
	action: 'Get many conversations',
	description: 'List phone and email conversations with their summaries, loads and bids',
	filters: { ...recordFilters, ...laneFilters() },
	list: 'conversations',
});
