import type { IAllExecuteFunctions } from 'n8n-workflow';

import { RECORDS, type ListName, type RecordFields } from '../columns/records';
import { callPath, loadOf, type CallTarget } from './callEndpoints';
import { normalizeBaseUrl } from './http/baseUrl';
import { readAnalytics } from './pagination/analytics';
import type { AnalyticsQuery, CarrierQuery, ConversationQuery, ListQuery } from './contract';
import { DEFAULT_PAGE_SIZE, DEFAULT_RETRY_BUDGET_MS, DEFAULT_TIMEOUT_MS } from './http/defaults';
import { nodeCredential, readAccessToken } from './http/credential';
import type { JsonObject } from './http/json';
import { refuseUnfiltered } from './ignoredFilter';
import { walkRows, type Walked } from './pagination/walk';
import { readList, withoutEmpty } from './pagination/list';
import { listOfRange } from './pagination/listOfRange';
import { count, requestPage } from './pagination/pages/page';
import type { List, ListSource, Page, PageRequest, Paging } from './pagination/types';
import { fetchRecording, type SaveRecording } from './recording/recording';
import { redactionOf } from './http/answer/redaction';
import { serviceMessage } from './http/answer/serviceMessage';
import { Requests, type Asked } from './http/requests';

/** So many records show whether the service has filtered them: a single one can't. */
const ENOUGH_TO_CHECK = 5;

/** The service's endpoints (contract 4.2) as functions: typed requests in, parsed answers out. */
export class ServiceClient {
	constructor(private readonly requests: Requests) {}

	/** How long its reads waited for a busy service (429), in milliseconds. */
	get busyMs(): number {
		return this.requests.busyTime.totalMs;
	}

	/** GET /api/v1/{name} (contract 4.2): a whole list, or up to a limit. */
	async readList(name: ListName, query: ConversationQuery, paging: Paging): Promise<List> {
		const isFiltered = (query.loadId ?? query.mcNumber) !== undefined;
		const limit = paging.limit && Math.max(paging.limit, isFiltered ? ENOUGH_TO_CHECK : 0);
		const list = await readList({ ...paging, limit }, this.list(name, query));
		refuseUnfiltered(query, list.rows);
		return { ...list, rows: list.rows.slice(0, paging.limit) };
	}

	/** One page of a list, for choosing one of its records in the editor. */
	async readListPage(name: ListName, query: ListQuery, request: PageRequest): Promise<Page> {
		return await this.list(name, query).readPage(request, {});
	}

	/** Reads the calls list until `visit` returns true for a call. */
	async walkCalls(query: ListQuery, visit: (row: JsonObject) => boolean): Promise<Walked> {
		return await walkRows(DEFAULT_PAGE_SIZE, this.list('calls', query).readPage, visit);
	}

	/** GET /api/v1/carriers (contract 4.3), which has no pages. */
	async searchCarriers(query: CarrierQuery): Promise<List> {
		const about = `${query.origin} to ${query.destination}`;
		const { rows, total = 0 } = await this.page('carriers', 'carriers', query, { about });
		if (total <= rows.length) return withoutEmpty({ rows });
		return withoutEmpty({
			rows,
			hint: `The service reports ${count(total)} carriers on this lane but returned only ${count(rows.length)}. Try a smaller radius or fewer equipment types.`,
		});
	}

	/** GET /api/v1/analytics (contract 4.4), in shorter ranges if one does not return everything. */
	async getAnalytics(query: AnalyticsQuery): Promise<List> {
		const read = await readAnalytics(query, async (range) => {
			const about = `${range.startDate} to ${range.endDate}`;
			return await this.page('analytics', 'data', range, { about });
		});
		return withoutEmpty(read);
	}

	/**
	 * Fetches a recording (contract 2.3, `recordingUrl`) and streams it to where it is stored. The
	 * access token goes only to the service's own origin.
	 *
	 * @throws ServiceFailure also when the recording has more than `maxBytes`
	 */
	async downloadRecording<Saved>(url: string, maxBytes: number, save: SaveRecording<Saved>) {
		return await fetchRecording(this.requests, url, maxBytes, save);
	}

	/**
	 * Places a call (contract 4.7, 4.8), at most once.
	 *
	 * @param beforeRepeat called before the call is requested again; may throw to prevent that
	 */
	async placeCall(
		call: CallTarget,
		body: object,
		beforeRepeat?: () => Promise<void>,
	): Promise<JsonObject> {
		const load = loadOf(call);
		const about = load === undefined ? `agent ${call.subject.agentId}` : `load ${load}`;
		return await this.requests.dial(callPath(call), { ...body }, { about, beforeRepeat });
	}

	/** The service's own words in a response, without the access token; undefined if there are none. */
	wordsIn(answer: JsonObject): string | undefined {
		return serviceMessage(JSON.stringify(answer), this.requests.connection.redaction);
	}

	private list(name: ListName, query: ConversationQuery): ListSource {
		const { idName }: RecordFields = RECORDS[name];
		const about = query.loadId && `load ${query.loadId}`;
		return listOfRange(query, idName ? 'id' : 'none', async (range, page, events) => {
			return await this.page(
				name,
				keyOf(name),
				{ ...query, ...range, ...page },
				{ about, ...events },
			);
		});
	}

	private async page(name: string, key: string, query: object, asked: Asked): Promise<Page> {
		return await requestPage(this.requests, `/api/v1/${name}`, key, query, asked);
	}
}

/** The key of a list's rows in its answer (contract 2.1). */
function keyOf(name: ListName): string {
	const { key = name }: RecordFields = RECORDS[name];
	return key;
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
