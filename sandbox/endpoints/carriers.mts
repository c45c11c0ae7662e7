import { carrierQuerySchema } from '../contract/carrier.mts';
import { carriersByLane } from '../data/freight/lane-search.mts';
import { coerceNumbers, validate } from '../service/request-error.mts';
import type { Service } from '../service/service.mts';
import type { Endpoint } from './endpoint.mts';
import { applyPaginationFaults } from './list-faults.mts';

/** Contract 4.3. */
export const searchCarriers = (service: Service): Endpoint => ({
	name: 'searchCarriers',
	method: 'GET',
	url: '/api/v1/carriers',
	read(request) {
		const query = validate(carrierQuerySchema, coerceNumbers(request.query, ['radius']), 'query');
		return {
			offset: null,
			answer(context) {
				const { network } = service.archives[context.organization].facts;
				const carriers = carriersByLane(network, query);
				const pagination = applyPaginationFaults({ total: carriers.length }, context);
				return JSON.stringify({ carriers, pagination });
			},
		};
	},
});
