import { recordFilters } from '../../../shared/fields/locator';
import { listOperation } from '../../operations/readOperation';

export const getAll = listOperation({
	action: 'Get many bids',
	description: 'List the bids that carriers made on loads: lane, carrier, contact and call summary',
	filters: recordFilters,
	list: 'bids',
});
