import { analyticsQuerySchema } from '../contract/analytics.mts';
import { carrierQuerySchema } from '../contract/carrier.mts';
import { recordingPathSchema } from '../contract/recording.mts';
import { dayFigures, daysBetween } from '../data/days.mts';
import { carriersByLane } from '../data/lane-search.mts';
import type { Endpoint } from './endpoint.mts';
import { readBy, Refusal, withNumbers } from './refusal.mts';
import type { Service } from './service.mts';
import { paginationTold } from './shapes.mts';
import { recordingOf } from './wave.mts';

/** Contract 4.3. */
export const searchCarriers = (service: Service): Endpoint => ({
	name: 'searchCarriers',
	method: 'GET',
	url: '/api/v1/carriers',
	read(request) {
		const query = readBy(carrierQuerySchema, withNumbers(request.query, ['radius']), 'query');
		return {
			offset: null,
			answer(asked) {
				const { network } = service.archives[asked.organization].facts;
				const carriers = carriersByLane(network, query);
				const pagination = paginationTold({ total: carriers.length }, asked);
				return JSON.stringify({ carriers, pagination });
			},
		};
	},
});

/**
 * Contract 4.4. `metric` is checked and changes nothing: contract 4.9 does not say what it changes.
 * There is no limit parameter, yet a pagination object: the sandbox answers so many days at most.
 */
export const getAnalytics = (service: Service): Endpoint => ({
	name: 'getAnalytics',
	method: 'GET',
	url: '/api/v1/analytics',
	read(request) {
		const { startDate, endDate } = readBy(analyticsQuerySchema, request.query, 'query');
		return {
			offset: null,
			answer(asked) {
				const { calls, bids, facts } = service.archives[asked.organization];
				const total = daysBetween(startDate, endDate);
				const limit = service.analyticsDays;
				const data = Array.from({ length: Math.min(total, limit) }, (_, nth) =>
					dayFigures(facts.brokerage, calls, bids, startDate, nth),
				);
				const pagination = paginationTold({ limit, offset: 0, total }, asked);
				return JSON.stringify({ data, pagination });
			},
		};
	},
});

/** Where `recordingUrl` points. Needs the token of the organization whose call it is. */
export const downloadRecording = (service: Service): Endpoint => ({
	name: 'recording',
	method: 'GET',
	url: '/recordings/:file',
	read(request) {
		const { file } = readBy(recordingPathSchema, request.params, 'path');
		const id = Number(file.replace('.wav', ''));
		return {
			offset: null,
			answer({ organization }) {
				if (service.archives[organization].hasCall(id)) return recordingOf(id);
				throw new Refusal(404, { message: `There is no recording of call ${id}` });
			},
		};
	},
});
