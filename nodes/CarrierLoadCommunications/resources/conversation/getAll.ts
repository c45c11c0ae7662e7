import { laneFilters, recordFilters } from '../../../shared/fields/locator';
import { listOperation } from '../../operations/readOperation';

export const getAll = listOperation({
	action: 'Get many conversations',
	description: 'List phone and email conversations with their summaries, loads and bids',
	filters: { ...recordFilters, ...laneFilters() },
	list: 'conversations',
});
