import { recordFilters } from '../../../shared/fields/recordFilters';
import { listOperation } from '../../operations/listOperation';

/** The fields of a bid (contract 2.5): few enough to return all of them. */
const bidFields = {
	simplified: [
		'loadId',
		'originLocation',
		'destinationLocation',
		'carrierMc',
		'carrierDot',
		'callerName',
		'phoneNumber',
		'extension',
		'callDateTime',
		'callSummary',
	],
	more: [],
} as const;

export const getAll = listOperation({
	action: 'Get many bids',
	description: 'List the bids that carriers made on loads: lane, carrier, contact and call summary',
	rows: bidFields,
	filters: recordFilters,
	list: 'bids',
});
