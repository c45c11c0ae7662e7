import { hash } from 'crypto';
import type { IAllExecuteFunctions } from 'n8n-workflow';

import { RECORDS, type ListName, type RecordFields } from '../columns/records';
import { callPath, loadOf, type CallTarget } from './callEndpoints';
import { callsSettingOf } from './callsSetting';
import { normalizeBaseUrl, nodeCredential, readAccessToken } from './credential';
import type { AnalyticsQuery, CarrierQuery, ConversationQuery, ListQuery } from './contract';
import type { JsonObject } from './json';
import {
	count,
	emptyRecords,
	isEmpty,
	readList,
	refuseUnfiltered,
	type List,
	type ListRequest,
	type PageRequest,
} from './list';
import { requestPage, type Page } from './page';
import { fetchRecording, type SaveRecording } from './recording';
import { Redaction } from './redaction';
import {
	CREDENTIAL_TYPE,
	DEFAULT_RETRY_BUDGET_MS,
	DEFAULT_TIMEOUT_MS,
	type CallsSetting,
} from './request';
import { serviceMessage } from './answer';
import { Requests, type Asked } from './requests';

const DAY_MS = 24 * 60 * 60_000;

/** So many records show whether the service has filtered them: a single one can't. */
const ENOUGH_TO_CHECK = 5;

/** The service's endpoints (contract 4.2) as functions: typed requests in, parsed answers out. */
export class ServiceClient {
	/** @param account identifies the organization whose data it reads, without the token */
	constructor(
		private readonly requests: Requests,
		readonly account: string,
	) {}

	/** What the credential's owner lets workflows do, as it was at the start of the run. */
	get calls(): CallsSetting {
		return this.requests.connection.calls;
	}

	/** GET /api/v1/{name} (contract 4.2): a whole list, or up to a limit. */
	async readList(
		name: ListName,
		query: ConversationQuery,
		{ limit }: { limit?: number | undefined } = {},
	): Promise<List> {
		const isFiltered = (query.loadId ?? query.mcNumber) !== undefined;
		const enough = limit && Math.max(limit, isFiltered ? ENOUGH_TO_CHECK : 0);
		const list = await readList({ ...this.list(name, query), limit: enough });
		refuseUnfiltered(query, list.rows);
		return { ...list, rows: list.rows.slice(0, limit) };
	}

	/** One page of a list, for choosing one of its records in the editor. */
	async readListPage(name: ListName, query: ListQuery, request: PageRequest): Promise<Page> {
		return await this.list(name, query).readPage(query, request, {});
	}

	/** Shows each listed call, some of them twice, until `visit` returns true. */
	async walkCalls(
		query: ListQuery,
		visit: (row: JsonObject) => boolean,
	): Promise<{ searched: number; complete: boolean }> {
		const { rows, complete } = await readList({ ...this.list('calls', query), visit });
		return { searched: rows.length, complete };
	}

	/** GET /api/v1/carriers (contract 4.3), which has no pages. */
	async searchCarriers(query: CarrierQuery): Promise<List> {
		const about = `${query.origin} to ${query.destination}`;
		const page = await this.page('carriers', 'carriers', query, { about });
		return wholeList(
			page,
			'carriers on this lane',
			'Try a smaller radius or fewer equipment types.',
		);
	}

	/** GET /api/v1/analytics (contract 4.4), which has no pages either. */
	async getAnalytics(query: AnalyticsQuery): Promise<List> {
		const about = `${query.startDate} to ${query.endDate}`;
		const page = await this.page('analytics', 'data', query, { about });
		const list = wholeList(page, 'days of analytics', 'Choose a shorter range of days.');
		return list.hint === undefined ? { ...list, ...hintOfLastDay(query, list.rows) } : list;
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

	private list(name: ListName, query: ConversationQuery): ListRequest {
		const { idName }: RecordFields = RECORDS[name];
		const about = query.loadId && `load ${query.loadId}`;
		return {
			range: { startTime: query.startTime, endTime: query.endTime },
			hasIds: idName !== undefined,
			readPage: async (range, page, events) =>
				await this.page(name, keyOf(name), { ...query, ...range, ...page }, { about, ...events }),
		};
	}

	private async page(name: string, key: string, query: object, asked: Asked): Promise<Page> {
		return await requestPage(this.requests, `/api/v1/${name}`, key, query, asked);
	}
}

/** It is unknown whether the service includes the last day of a range (contract 4.9). */
function hintOfLastDay({ endDate }: AnalyticsQuery, rows: JsonObject[]): Pick<List, 'hint'> {
	const isPast = Date.parse(endDate) < Date.now() - 2 * DAY_MS;
	if (!isPast || rows.some(({ date }) => String(date).startsWith(endDate))) return {};
	return {
		hint: `The service returned nothing for ${endDate}. If it leaves out the last day of a range, ask for one day more.`,
	};
}

/** A list that comes in one response. @param advice what to do if it is not all of it */
function wholeList({ rows, total = 0 }: Page, things: string, advice: string): List {
	const kept = rows.filter((row) => !isEmpty(row));
	const empty = rows.length - kept.length;
	const hints = [
		...(empty > 0 ? [emptyRecords(empty)] : []),
		...(total > rows.length
			? [
					`The service reports ${count(total)} ${things} but returned only ${count(rows.length)}. ${advice}`,
				]
			: []),
	];
	const hint = hints.length > 0 ? { hint: hints.join(' ') } : {};
	return { rows: kept, complete: total <= rows.length, ...hint };
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
		calls: callsSettingOf(credential),
		baseUrl: normalizeBaseUrl(credential.baseUrl),
		skipCertificateCheck: credential.ignoreSslIssues === true,
		timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
		retryBudgetMs: options.retryBudgetMs ?? DEFAULT_RETRY_BUDGET_MS,
		redaction: new Redaction(readAccessToken(credential.accessToken)),
	};
	const account = hash(
		'sha256',
		JSON.stringify([
			context.getNode().credentials?.[CREDENTIAL_TYPE]?.id,
			connection.baseUrl,
			readAccessToken(credential.accessToken),
		]),
	);
	return new ServiceClient(new Requests(context, connection), account);
}
