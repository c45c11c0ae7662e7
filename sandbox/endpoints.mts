import type { FastifyRequest } from 'fastify';
import {
	agentCallRequestSchema,
	agentPathSchema,
	analyticsQuerySchema,
	bidPageQuerySchema,
	callPageQuerySchema,
	carrierQuerySchema,
	carrierSalesCallRequestSchema,
	type CheckCallRequest,
	checkCallRequestSchema,
	conversationPageQuerySchema,
	LIMIT,
	type PlacedCall,
	recordingPathSchema,
} from './contract.mts';
import {
	type Archive,
	bidFilter,
	callFilter,
	conversationFilter,
	dayCount,
	dayMetrics,
	type RecordFilters,
} from './data/archive.mts';
import { carriersByLane } from './data/freight.mts';
import type { Series } from './data/series.mts';
import type { Topic } from './data/transcripts.mts';
import type { ListFault } from './faults.mts';
import { type CallRequest, insertRecords } from './service/place-call.mts';
import { coerceNumbers, RequestError, validate } from './service/server.mts';
import type { Service } from './service/service.mts';
import type { EndpointName, OrganizationName } from './types.mts';

export interface RequestContext {
	organization: OrganizationName;
	listFaults: ListFault[];
}

/** JSON text, or the bytes of a recording. */
export type ResponseBody = string | Buffer;

/** A request that was parsed and is valid. */
export interface ParsedRequest {
	/** The page's offset, if there are pages. */
	offset: number | null;
	/** Handles the request. A call endpoint dials here. */
	answer(context: RequestContext): ResponseBody;
}

/** One endpoint of the service. */
export interface Endpoint {
	name: EndpointName;
	method: 'GET' | 'POST';
	url: string;
	/** Throws a RequestError for a request that violates the contract. */
	read(request: FastifyRequest): ParsedRequest;
}

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
	for (const fault of listFaults) {
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
	query: PageQuery & RecordFilters,
	seriesOf: (archive: Archive) => Series<T>,
	filterOf: (archive: Archive, filters: RecordFilters) => (record: T) => boolean,
): ParsedRequest {
	const edge = service.exclusiveBounds ? 1 : 0;
	const from = parseTime(query.startTime) + edge;
	const to = parseTime(query.endTime) - edge;
	const page = { offset: query.offset ?? 0, limit: query.limit ?? LIMIT.default };
	return {
		offset: page.offset,
		answer(context) {
			insertMidWalk(service, context, to);
			const archive = service.archives[context.organization];
			const read = applyPageFaults(page, context);
			const matches = filterOf(archive, query);
			const { oldestFirst } = service;
			const { rows, total } = seriesOf(archive).page({ from, to, matches, oldestFirst, ...read });
			const pagination = { limit: read.limit, offset: page.offset, total };
			const reported = applyPaginationFaults(pagination, context);
			return JSON.stringify({ [key]: rows, pagination: reported });
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
			return listRequest(
				service,
				'conversations',
				query,
				({ conversations }) => conversations,
				conversationFilter,
			);
		},
	},
	{
		name: 'listCalls',
		method: 'GET',
		url: '/api/v1/calls',
		read: (request) => {
			const query = validate(callPageQuerySchema, coerceNumbers(request.query, NUMBERS), 'query');
			return listRequest(service, 'calls', query, ({ calls }) => calls, callFilter);
		},
	},
	{
		name: 'listBids',
		method: 'GET',
		url: '/api/v1/bids',
		read: (request) => {
			const query = validate(bidPageQuerySchema, coerceNumbers(request.query, NUMBERS), 'query');
			return listRequest(service, 'salesBids', query, ({ bids }) => bids, bidFilter);
		},
	},
];

export interface Page {
	offset: number;
	limit: number;
}

/** The page to read, with list faults applied. */
function applyPageFaults(page: Page, { listFaults }: RequestContext): Page {
	let { offset, limit } = page;
	for (const fault of listFaults) {
		if (fault.kind === 'repeatPage') offset = Math.max(0, offset - limit);
		if (fault.kind === 'clampLimit') limit = Math.min(limit, fault.max);
	}
	return { offset, limit };
}

/** The pagination to report, with list faults applied. */
function applyPaginationFaults(
	pagination: Record<string, unknown> & { total: number },
	{ listFaults }: RequestContext,
): Record<string, unknown> {
	const reported: Record<string, unknown> = { ...pagination };
	for (const fault of listFaults) {
		if (fault.kind === 'total')
			reported['total'] = fault.value === 'missing' ? undefined : fault.value;
	}
	return reported;
}

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
				const { network } = service.archives[context.organization];
				const carriers = carriersByLane(network, query);
				const pagination = applyPaginationFaults({ total: carriers.length }, context);
				return JSON.stringify({ carriers, pagination });
			},
		};
	},
});

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
				const archive = service.archives[context.organization];
				const edge = service.exclusiveBounds ? 1 : 0;
				const total = Math.max(0, dayCount(startDate, endDate) - 2 * edge);
				const limit = service.analyticsDays;
				const data = Array.from({ length: Math.min(total, limit) }, (_, day) =>
					dayMetrics(archive, startDate, day + edge),
				);
				const pagination = applyPaginationFaults({ limit, offset: 0, total }, context);
				return JSON.stringify({ data, pagination });
			},
		};
	},
});

export type PlaceCall = (organization: OrganizationName, request: CallRequest) => PlacedCall;

/** The request body, once a schema has validated that it is an object. */
const sentBody = (request: FastifyRequest): Record<string, unknown> => ({
	...(request.body as Record<string, unknown>),
});

const given = <T extends object>(fields: T) =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
		[Key in keyof T]?: Exclude<T[Key], undefined>;
	};

function topicOf({ waitingAtFacility, nextStopIndex }: CheckCallRequest): Topic {
	if (waitingAtFacility) return 'atFacility';
	return nextStopIndex % 5 === 4 ? 'delayed' : 'enRoute';
}

/** Contract 4.5. */
const triggerCheckCall = (place: PlaceCall): Endpoint => ({
	name: 'triggerCheckCall',
	method: 'POST',
	url: '/api/v1/track-and-trace/trigger-check-call',
	read(request) {
		const asked = validate(checkCallRequestSchema, request.body, 'body');
		const { toPhone, loadNumber, metadata } = asked;
		return {
			offset: null,
			answer({ organization }) {
				const call = place(organization, {
					call: {
						...{ kind: 'checkCall', toPhone, loadNumber, body: sentBody(request) },
						...given({ metadata }),
					},
					person: asked.driverName ?? asked.contactName,
					topic: topicOf(asked),
				});
				return JSON.stringify({ success: true, call });
			},
		};
	},
});

/** Contract 4.6. */
const triggerCarrierSalesCall = (place: PlaceCall): Endpoint => ({
	name: 'triggerCarrierSalesCall',
	method: 'POST',
	url: '/api/v1/carrier-sales/trigger-call',
	read(request) {
		const asked = validate(carrierSalesCallRequestSchema, request.body, 'body');
		const { toPhone, loadId, dotNumber, metadata, contactName } = asked;
		return {
			offset: null,
			answer({ organization }) {
				const call = place(organization, {
					call: {
						...{ kind: 'carrierSalesCall', toPhone, loadId, dotNumber, body: sentBody(request) },
						...given({ metadata }),
					},
					person: contactName,
					topic: 'question',
				});
				return JSON.stringify({ success: true, call });
			},
		};
	},
});

/** Contract 4.8. */
const createAgentCall = (place: PlaceCall): Endpoint => ({
	name: 'createAgentCall',
	method: 'POST',
	url: '/api/v1/custom-use-cases/:agentId/create-phone-call',
	read(request) {
		const { agentId } = validate(agentPathSchema, request.params, 'path');
		const { toPhone, dynamicVariables } = validate(agentCallRequestSchema, request.body, 'body');
		return {
			offset: null,
			answer({ organization }) {
				const call = place(organization, {
					call: {
						...{ kind: 'agentCall', toPhone, agentId, body: sentBody(request) },
						...given({ dynamicVariables }),
					},
					person: undefined,
					topic: 'question',
				});
				return JSON.stringify({ status: 'success', call });
			},
		};
	},
});

/** The three endpoints that dial. Each dials once, through `place`. */
export const triggerEndpoints = (place: PlaceCall): Endpoint[] => [
	triggerCheckCall(place),
	triggerCarrierSalesCall(place),
	createAgentCall(place),
];

/** Where `recordingUrl` points. Requires the token of the organization that owns the call. */
export const downloadRecording = (service: Service): Endpoint => ({
	name: 'recording',
	method: 'GET',
	url: '/recordings/:file',
	read(request) {
		const { file } = validate(recordingPathSchema, request.params, 'path');
		const id = Number(file.replace('.wav', ''));
		return {
			offset: null,
			answer({ organization }) {
				if (service.archives[organization].hasCall(id)) return sampleRecording(id);
				throw new RequestError(404, { message: `There is no recording of call ${id}` });
			},
		};
	},
});

const SAMPLE_RATE = 8000;
const SECONDS = 1;
const HEADER_BYTES = 44;

/** One second of dial tone as an 8-bit mono WAV file. Its pitch differs between calls. */
export function sampleRecording(callId: number): Buffer {
	const samples = SAMPLE_RATE * SECONDS;
	const file = Buffer.alloc(HEADER_BYTES + samples);
	file.write('RIFF', 0, 'latin1');
	file.writeUInt32LE(file.length - 8, 4);
	file.write('WAVEfmt ', 8, 'latin1');
	file.writeUInt32LE(16, 16); // size of the format part
	file.writeUInt16LE(1, 20); // PCM
	file.writeUInt16LE(1, 22); // one channel
	file.writeUInt32LE(SAMPLE_RATE, 24);
	file.writeUInt32LE(SAMPLE_RATE, 28); // bytes a second
	file.writeUInt16LE(1, 32); // bytes a sample
	file.writeUInt16LE(8, 34); // bits a sample
	file.write('data', 36, 'latin1');
	file.writeUInt32LE(samples, 40);
	const pitch = 350 + (callId % 90);
	for (let sample = 0; sample < samples; sample++) {
		const wave = Math.sin((2 * Math.PI * pitch * sample) / SAMPLE_RATE);
		file[HEADER_BYTES + sample] = 128 + Math.round(40 * wave);
	}
	return file;
}
