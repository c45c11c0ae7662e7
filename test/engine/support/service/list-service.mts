import type { RequestListener } from 'node:http';
import type { JsonObject } from '../../../../nodes/shared/service/json.ts';
import { withServer } from './answering-server.mts';
import { always, type Paging } from './list-reads.mts';
import type { Probe } from './probe.mts';

/** The service returns at most so many records at a time. */
const CLAMP = 100;

interface ListRequest {
	/** Counted from 0. */
	number: number;
	offset: number;
	limit: number;
	startTime: number;
	endTime: number;
	/** The rows for an offset and limit. */
	page: JsonObject[];
}

/** A service with one list, for calls or bids. */
export interface ListService {
	rows: JsonObject[];
	/** Called before each response; may change the rows. */
	before?: (number: number, rows: JsonObject[]) => void;
	/** What it reports besides the rows. */
	pagination?: (request: ListRequest) => unknown;
	/** A different response; undefined for the usual one. */
	instead?: (request: ListRequest) => { status: number; body: unknown } | undefined;
	/** Headers of its responses, besides the usual ones. */
	headers?: () => Record<string, string>;
	/** Only the rows of a time range. */
	timeOf?: (row: JsonObject) => number;
}

/** Calls with these IDs, newest first. */
export const callsOf = (count: number): JsonObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: count - index, summary: `call ${index}` }));

/** Reads a service's list over HTTP. Returns the result and the requests. */
export const listsOf =
	(probe: () => Probe) =>
	async (
		service: ListService,
		{ bids = false, ...more }: Paging & { bids?: boolean; retryBudgetMs?: number } = {},
		range = always,
	) => {
		const requests: ListRequest[] = [];
		const listener: RequestListener = (request, response) => {
			const query = new URL(request.url ?? '', 'http://x').searchParams;
			const number = requests.length;
			service.before?.(number, service.rows);
			const offset = Number(query.get('offset'));
			const limit = Math.min(Number(query.get('limit')), CLAMP);
			const [startTime, endTime] = ['startTime', 'endTime'].map((key) =>
				Date.parse(query.get(key) ?? ''),
			);
			const { timeOf } = service;
			const rows = timeOf
				? service.rows.filter((row) => timeOf(row) <= Number(endTime))
				: service.rows;
			const asked: ListRequest = {
				...{ number, offset, limit, startTime: Number(startTime), endTime: Number(endTime) },
				page: rows.slice(offset, offset + limit),
			};
			requests.push(asked);
			const { status, body } = service.instead?.(asked) ?? {
				status: 200,
				body: {
					[bids ? 'salesBids' : 'calls']: asked.page,
					pagination: service.pagination
						? service.pagination(asked)
						: { limit, offset, total: rows.length },
				},
			};
			response.writeHead(status, { 'Content-Type': 'application/json', ...service.headers?.() });
			response.end(JSON.stringify(body));
		};
		const { retryBudgetMs = 0, ...settings } = more;
		const probed = await withServer(
			listener,
			async (baseUrl) =>
				await probe().run({ baseUrl, retryBudgetMs }, async (client) =>
					bids
						? await client.readList('bids', range, settings.limit)
						: await client.readList('calls', range, settings.limit),
				),
		);
		return { ...probed, requests };
	};
