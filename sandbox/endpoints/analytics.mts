import { analyticsQuerySchema } from '../contract/analytics.mts';
import { dayCount, dayMetrics } from '../data/calls/analytics-days.mts';
import { validate } from '../service/request-error.mts';
import type { Service } from '../service/service.mts';
import type { Endpoint } from './endpoint.mts';
import { applyPaginationFaults } from './list-faults.mts';

/**
 * Contract 4.4. `metric` is validated but changes nothing, because contract 4.9 doesn't say what it
 * changes. There is a pagination object but no limit parameter, so the sandbox limits the days in
 * one response.
 */
export const getAnalytics = (service: Service): Endpoint => ({
	name: 'getAnalytics',
	method: 'GET',
	url: '/api/v1/analytics',
	read(request) {
		const { startDate, endDate } = validate(analyticsQuerySchema, request.query, 'query');
		return {
			offset: null,
			answer(context) {
				const { calls, bids, facts } = service.archives[context.organization];
				const edge = service.exclusiveBounds ? 1 : 0;
				const total = Math.max(0, dayCount(startDate, endDate) - 2 * edge);
				const limit = service.analyticsDays;
				const data = Array.from({ length: Math.min(total, limit) }, (_, day) =>
					dayMetrics(facts.brokerage, calls, bids, startDate, day + edge),
				);
				const pagination = applyPaginationFaults({ limit, offset: 0, total }, context);
				return JSON.stringify({ data, pagination });
			},
		};
	},
});
