import { bidPageQuerySchema } from '../contract/bid.mts';
import { callPageQuerySchema } from '../contract/call.mts';
import { conversationPageQuerySchema } from '../contract/conversation.mts';
import { LIMIT } from '../contract/listQuery.mts';
import type { Archive } from '../data/archive.mts';
import { filterBids, filterCalls, filterConversations } from '../data/filters.mts';
import type { Filter, Series } from '../data/series.mts';
import type { Asked, Endpoint, ReadRequest } from './endpoint.mts';
import { insertRecords } from './inserting.mts';
import { readBy, withNumbers } from './refusal.mts';
import type { Service } from './service.mts';
import { pageRead, paginationTold } from './shapes.mts';

interface PageQuery {
	startTime: string;
	endTime: string;
	offset?: number | undefined;
	limit?: number | undefined;
}

/** Contract 4.9 does not say how a time without an offset is read: the sandbox reads it as UTC. */
function millisecondsOf(time: string): number {
	const zoneless = time.includes('T') && !/(Z|[+-]\d\d:?\d\d)$/.test(time);
	return Date.parse(zoneless ? `${time}Z` : time);
}

function insertMidWalk(service: Service, { organization, shapes }: Asked, to: number): void {
	for (const { fault } of shapes) {
		if (fault.kind !== 'insertMidWalk') continue;
		// Inside the range that is being walked, or the walk would not notice.
		const at = Math.min(service.now().getTime(), to);
		const createdAt = new Date(at).toISOString();
		insertRecords(service, { organization, count: fault.count, createdAt });
	}
}

function readList<T>(
	service: Service,
	key: string,
	query: PageQuery,
	seriesOf: (archive: Archive) => { series: Series<T>; filter: Filter<T> | undefined },
): ReadRequest {
	const edge = service.exclusiveBounds ? 1 : 0;
	const from = millisecondsOf(query.startTime) + edge;
	const to = millisecondsOf(query.endTime) - edge;
	const page = { offset: query.offset ?? 0, limit: query.limit ?? LIMIT.default };
	return {
		offset: page.offset,
		answer(asked) {
			insertMidWalk(service, asked, to);
			const { series, filter } = seriesOf(service.archives[asked.organization]);
			const read = pageRead(page, asked);
			const { oldestFirst } = service;
			const { rows, total } = series.page({ from, to, filter, oldestFirst, ...read });
			const pagination = { limit: read.limit, offset: page.offset, total };
			const told = JSON.stringify(paginationTold(pagination, asked));
			return [Buffer.from(`{"${key}":[`), rows, Buffer.from(`],"pagination":${told}}`)];
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
			const asked = withNumbers(request.query, NUMBERS);
			const query = readBy(conversationPageQuerySchema, asked, 'query');
			return readList(service, 'conversations', query, ({ conversations, facts }) => ({
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
			const query = readBy(callPageQuerySchema, withNumbers(request.query, NUMBERS), 'query');
			return readList(service, 'calls', query, ({ calls, facts }) => ({
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
			const query = readBy(bidPageQuerySchema, withNumbers(request.query, NUMBERS), 'query');
			return readList(service, 'salesBids', query, ({ bids, facts }) => ({
				series: bids,
				filter: filterBids(facts, query),
			}));
		},
	},
];
