import type { IAllExecuteFunctions } from 'n8n-workflow';

import { readAccessToken } from './http/accessToken';
import { normalizeBaseUrl, pathPart } from './http/baseUrl';
import { readAnalytics } from './pagination/analytics';
import type {
	AgentCallRequest,
	AnalyticsQuery,
	CarrierQuery,
	CarrierSalesCallRequest,
	CheckCallRequest,
	ConversationQuery,
	ListQuery,
} from './contract';
import { DEFAULT_PAGE_SIZE, DEFAULT_RETRY_BUDGET_MS, DEFAULT_TIMEOUT_MS } from './http/defaults';
import { nodeCredential } from './http/nodeCredential';
import type { JsonObject } from './http/json';
import { findRow, readList, type List, type Paging } from './pagination';
import { listOfRange, type ReadRange } from './pagination/listOfRange';
import { count, requestPage } from './pagination/pages/page';
import type { Identity, Page, PageRequest } from './pagination/types';
import { fetchRecording, type SaveRecording } from './recording/recording';
import { redactionOf } from './http/answer/redaction';
import { Requests, type Asked } from './http/requests';

/** The result of looking for a call. */
export interface CallSearch {
	call?: JsonObject | undefined;
	/** How many calls were read. */
	searched: number;
	/** Whether these are all calls of the range, if none was found. */
	complete: boolean;
}

/** The key of the rows in the answers of the lists (contract 4.2). */
const ROWS = { bids: 'salesBids', calls: 'calls', conversations: 'conversations' } as const;

export type ListName = keyof typeof ROWS;

/** The service's endpoints (contract 4.2) as functions: typed requests in, parsed answers out. */
export class ServiceClient {
	constructor(private readonly requests: Requests) {}

	/** How long its reads waited for a busy service (429), in milliseconds. */
	get busyMs(): number {
		return this.requests.busyTime.totalMs;
	}

	/** The same client, which calls this before it requests a call once more; what it throws ends that. */
	checking(beforeRepeat: () => Promise<void>): ServiceClient {
		const { context, connection } = this.requests;
		return new ServiceClient(new Requests(context, connection, beforeRepeat));
	}

	/** GET /api/v1/conversations (contract 4.2). */
	async listConversations(query: ConversationQuery, paging: Paging): Promise<List> {
		return await readList(paging, this.list('conversations', 'conversations', query, 'id'));
	}

	/** GET /api/v1/calls (contract 4.2). */
	async listCalls(query: ListQuery, paging: Paging): Promise<List> {
		return await readList(paging, this.list('calls', 'calls', query, 'id'));
	}

	/** GET /api/v1/bids (contract 4.2). Bids have no id (contract 2.5). */
	async listBids(query: ListQuery, paging: Paging): Promise<List> {
		return await readList(paging, this.list('bids', 'salesBids', query, 'none'));
	}

	/** One page of a list, for choosing one of its records in the editor. */
	async readListPage(list: ListName, query: ListQuery, request: PageRequest): Promise<Page> {
		return await this.page(list, ROWS[list], { ...query, ...request }, {});
	}

	/** The first call of the calls list that matches. Pages are read only as far as needed. */
	async findCall(
		query: ListQuery,
		matches: (row: JsonObject) => boolean,
		pageSize = DEFAULT_PAGE_SIZE,
	): Promise<CallSearch> {
		const { readPage } = this.list('calls', 'calls', query, 'id');
		const { row, searched, complete } = await findRow(pageSize, readPage, matches);
		return { ...(row && { call: row }), searched, complete };
	}

	/** GET /api/v1/carriers (contract 4.3), which has no pages. */
	async searchCarriers(query: CarrierQuery): Promise<List> {
		const about = `${query.origin} to ${query.destination}`;
		const { rows, total = 0 } = await this.page('carriers', 'carriers', query, { about });
		if (total <= rows.length) return { rows };
		return {
			rows,
			hint: `The service reports ${count(total)} carriers on this lane but returned only ${count(rows.length)}. Try a smaller radius or fewer equipment types.`,
		};
	}

	/** GET /api/v1/analytics (contract 4.4), in shorter ranges if one does not return everything. */
	async getAnalytics(query: AnalyticsQuery): Promise<List> {
		return await readAnalytics(query, async (range) => {
			const about = `${range.startDate} to ${range.endDate}`;
			return await this.page('analytics', 'data', range, { about });
		});
	}

	/**
	 * Fetches a recording (contract 2.3, `recordingUrl`) and streams it to where it is stored. The
	 * access token goes only to the service's own origin.
	 *
	 * @throws ServiceFailure also when the recording has more than `maxBytes`
	 */
	async downloadRecording<Saved>(
		url: string,
		maxBytes: number,
		save: SaveRecording<Saved>,
	): Promise<Saved> {
		return await fetchRecording(this.requests, url, maxBytes, save);
	}

	/** POST /api/v1/track-and-trace/trigger-check-call (contract 4.5, 4.7). Places a call, at most once. */
	async triggerCheckCall(body: CheckCallRequest): Promise<JsonObject> {
		const about = `load ${body.loadNumber}`;
		const path = '/api/v1/track-and-trace/trigger-check-call';
		return await this.requests.dial(path, { ...body }, { about });
	}

	/** POST /api/v1/carrier-sales/trigger-call (contract 4.6, 4.7). Places a call, at most once. */
	async triggerCarrierSalesCall(body: CarrierSalesCallRequest): Promise<JsonObject> {
		const about = `load ${body.loadId}`;
		return await this.requests.dial('/api/v1/carrier-sales/trigger-call', { ...body }, { about });
	}

	/** POST /api/v1/custom-use-cases/{agentId}/create-phone-call (contract 4.8). Places a call, at most once. */
	async createAgentCall(agentId: string, body: AgentCallRequest): Promise<JsonObject> {
		const agent = pathPart('Agent ID', agentId);
		const path = `/api/v1/custom-use-cases/${agent}/create-phone-call`;
		return await this.requests.dial(path, { ...body }, { about: `agent ${agentId}` });
	}

	/** The list of a time range under a path. */
	private list(name: string, key: string, query: ConversationQuery, identity: Identity) {
		const about = query.loadId && `load ${query.loadId}`;
		const readRange: ReadRange = async (range, page, events) =>
			await this.page(name, key, { ...query, ...range, ...page }, { about, ...events });
		return listOfRange(query, readRange, identity);
	}

	private async page(name: string, key: string, query: object, asked: Asked): Promise<Page> {
		return await requestPage(this.requests, `/api/v1/${name}`, key, query, asked);
	}
}

/**
 * A client for the organization of the node's credential.
 *
 * @throws ServiceFailure of kind `configuration` if base URL or token can't be used
 */
export async function connect(
	context: IAllExecuteFunctions,
	options: { timeoutMs?: number | undefined; retryBudgetMs?: number | undefined } = {},
): Promise<ServiceClient> {
	const readCredential = nodeCredential(context);
	const credential = await readCredential();
	const connection = {
		credential: readCredential,
		baseUrl: normalizeBaseUrl(credential.baseUrl),
		skipCertificateCheck: credential.ignoreSslIssues === true,
		timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
		retryBudgetMs: options.retryBudgetMs ?? DEFAULT_RETRY_BUDGET_MS,
		redaction: redactionOf(readAccessToken(credential.accessToken)),
	};
	return new ServiceClient(new Requests(context, connection));
}
