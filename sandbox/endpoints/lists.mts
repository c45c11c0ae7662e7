import { bidPageQuerySchema } from '../contract/bid.mts';
import { callPageQuerySchema } from '../contract/call.mts';
import { conversationPageQuerySchema } from '../contract/conversation.mts';
import { LIMIT } from '../contract/listQuery.mts';
import type { Archive } from '../data/archive.mts';
import { filterBids, filterCalls, filterConversations } from '../data/calls/filters.mts';
import type { Filter, Series } from '../data/series/series.mts';
import type { RequestContext, Endpoint, ParsedRequest } from './endpoint.mts';
import { insertRecords } from '../service/insert-records.mts';
import { validate, coerceNumbers } from '../service/request-error.mts';
import type { Service } from '../service/service.mts';
import { applyPageFaults, applyPaginationFaults } from './list-faults.mts';

interface PageQuery {
	startTime: string;
	endTime: string;
	offset?: number | undefined;
	limit?: number | undefined;
}

/** Contract 4.9 doesn't say how a time without an offset is read: the sandbox uses UTC. */
function parseTime(time: string): number {
	const zoneless = time.includes('T') && !/(Z|[+-]\d\d:?\d\d)$/.test(time);
	return Date.parse(zoneless ? `${time}Z` : time);
}

function insertMidWalk(
	service: Service,
	{ organization, listFaults }: RequestContext,
	to: number,
): void {
	for (const { fault } of listFaults) {
		if (fault.kind !== 'insertMidWalk') continue;
		// Inside the requested range, or the client would not notice.
		const at = Math.min(service.now().getTime(), to);
		const createdAt = new Date(at).toISOString();
		insertRecords(service, { organization, count: fault.count, createdAt });
	}
}

function listRequest<T>(
	service: Service,
	key: string,
	query: PageQuery,
	seriesOf: (archive: Archive) => { series: Series<T>; filter: Filter<T> | undefined },
): ParsedRequest {
	const edge = service.exclusiveBounds ? 1 : 0;
	const from = parseTime(query.startTime) + edge;
	const to = parseTime(query.endTime) - edge;
	const page = { offset: query.offset ?? 0, limit: query.limit ?? LIMIT.default };
	return {
		offset: page.offset,
		answer(context) {
			insertMidWalk(service, context, to);
			const { series, filter } = seriesOf(service.archives[context.organization]);
			const read = applyPageFaults(page, context);
			const { oldestFirst } = service;
			const { rows, total } = series.page({ from, to, filter, oldestFirst, ...read });
			const pagination = { limit: read.limit, offset: page.offset, total };
			const reported = JSON.stringify(applyPaginationFaults(pagination, context));
			return [Buffer.from(`{"${key}":[`), rows, Buffer.from(`],"pagination":${reported}}`)];
		},
	};
}

const NUMBERS = ['offset', 'limit'];

/** Contract 4.2: the lists of conversations, calls and bids. */
export const listEndpoints = (service: Service): Endpoint[] => [
	{
		name: 'listConversations',
		method: 'GET',
		url: '/api/v1/conversations',
		read: (request) => {
			const parameters = coerceNumbers(request.query, NUMBERS);
			const query = validate(conversationPageQuerySchema, parameters, 'query');
			return listRequest(service, 'conversations', query, ({ conversations, facts }) => ({
				series: conversations,
				filter: filterConversations(facts, query),
			}));
		},
	},
	{
		name: 'listCalls',
		method: 'GET',
		url: '/api/v1/calls',
		read: (request) => {
			const query = validate(callPageQuerySchema, coerceNumbers(request.query, NUMBERS), 'query');
			return listRequest(service, 'calls', query, ({ calls, facts }) => ({
				series: calls,
				filter: filterCalls(facts, query),
			}));
		},
	},
	{
		name: 'listBids',
		method: 'GET',
		url: '/api/v1/bids',
		read: (request) => {
			const query = validate(bidPageQuerySchema, coerceNumbers(request.query, NUMBERS), 'query');
			return listRequest(service, 'salesBids', query, ({ bids, facts }) => ({
				series: bids,
				filter: filterBids(facts, query),
			}));
		},
	},
];
