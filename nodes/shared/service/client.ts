import { hash } from 'crypto';
import type { IAllExecuteFunctions } from 'n8n-workflow';

import { RECORDS, type ListName, type RecordFields } from '../columns/records';
import { pageOf } from './answer';
import { callPath, loadOf } from './callRequest';
import type { Connection } from './connection';
import { CREDENTIAL_TYPE, DEFAULT_RETRY_BUDGET_MS, DEFAULT_TIMEOUT_MS } from './contract';
import type { CallsSetting, ConversationQuery, ListQuery, CallTarget } from './contract';
import { callsSettingOf, nodeCredential, normalizeBaseUrl, readAccessToken } from './credential';
import { cancelSignal } from './exchange';
import { refuseUnfiltered } from './filterCheck';
import type { JsonObject } from './json';
import { readList } from './list';
import type { Page, List, ListRequest, PageRequest } from './pages';
import { fetchRecording, type SaveRecording } from './recording';
import { Redaction } from './redaction';
import { send } from './requests';
import { callMayRepeat, readMayRepeat } from './retry';
import { serviceMessage } from './serviceWords';

/** So many records show whether the service has filtered them: a single one can't. */
const ENOUGH_TO_CHECK = 5;

/** The service's endpoints (contract 4.2) as functions: typed requests in, parsed answers out. */
export class ServiceClient {
	/** @param account identifies the organization whose data it reads, without the token */
	constructor(
		private readonly connection: Connection,
		readonly account: string,
	) {}

	/** What the credential's owner lets workflows do, as it was at the start of the run. */
	get calls(): CallsSetting {
		return this.connection.calls;
	}

	/** GET /api/v1/{name} (contract 4.2): a whole list, or up to a limit. */
	async readList(name: ListName, query: ConversationQuery, limit?: number): Promise<List> {
		const isFiltered = (query.loadId ?? query.mcNumber) !== undefined;
		const enough = limit && Math.max(limit, isFiltered ? ENOUGH_TO_CHECK : 0);
		const list = await readList({ ...this.list(name, query), limit: enough });
		if (isFiltered) refuseUnfiltered(query, list.rows);
		return { ...list, rows: list.rows.slice(0, limit) };
	}

	async readListPage(name: ListName, query: ListQuery, page: PageRequest): Promise<Page> {
		return await this.list(name, query).readPage(query, page, () => {});
	}

	/** Shows each listed call, some of them twice, until `visit` returns true. */
	async walkCalls(query: ListQuery, visit: (row: JsonObject) => boolean) {
		const { rows, complete } = await readList({ ...this.list('calls', query), visit });
		return { searched: rows.length, complete };
	}

	/** Fetches a recording (contract 2.3, `recordingUrl`) and streams it to where it is stored. */
	async downloadRecording<Saved>(url: string, maxBytes: number, save: SaveRecording<Saved>) {
		return await fetchRecording(this.connection, url, maxBytes, save);
	}

	/** Places a call (contract 4.7, 4.8), at most once. @param beforeRepeat may throw to prevent a repetition */
	async placeCall(call: CallTarget, body: object, beforeRepeat?: () => Promise<void>) {
		const load = loadOf(call);
		const about = load === undefined ? `agent ${call.subject.agentId}` : `load ${load}`;
		const request = { method: 'POST', path: callPath(call), body: { ...body }, about } as const;
		const rules = { mayRepeat: callMayRepeat, beforeRepeat };
		return (await send(this.connection, request, rules)).body;
	}

	/** The service's own words in a response, without the access token; undefined if there are none. */
	wordsIn(answer: JsonObject): string | undefined {
		return serviceMessage(JSON.stringify(answer), this.connection.redaction);
	}

	private list(name: ListName, query: ConversationQuery): ListRequest {
		const { idName, key = name }: RecordFields = RECORDS[name];
		const about = query.loadId && `load ${query.loadId}`;
		return {
			range: { startTime: query.startTime, endTime: query.endTime },
			hasIds: idName !== undefined,
			readPage: async ({ startTime, endTime }, page, onThrottled) => {
				// A millisecond more at each end, which the service may not include (contract 4.9).
				const range = { startTime: shifted(startTime, -1), endTime: shifted(endTime, 1) };
				return await this.page(name, key, { ...query, ...range, ...page }, about, onThrottled);
			},
		};
	}

	async page(
		name: string,
		key: string,
		query: object,
		about: string | undefined,
		onThrottled?: () => void,
	): Promise<Page> {
		const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
		const path = `/api/v1/${name}`;
		const request = { method: 'GET', path, query: Object.fromEntries(given), about } as const;
		const rules = { mayRepeat: readMayRepeat, onThrottled };
		const { body, ...more } = await send(this.connection, request, rules);
		return { ...pageOf(body, key, this.connection.redaction, request), ...more };
	}
}

function shifted(time: string, ms: number): string {
	return new Date(Date.parse(time) + ms).toISOString();
}

/** A client for the node's credential. @throws ServiceFailure if its base URL or token can't be used */
export async function connect(
	context: IAllExecuteFunctions,
	options: { timeoutMs?: number | undefined; retryBudgetMs?: number | undefined } = {},
): Promise<ServiceClient> {
	const readCredential = nodeCredential(context);
	const credential = await readCredential();
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const token = readAccessToken(credential.accessToken);
	const connection = {
		...{ context, baseUrl, credential: readCredential },
		signal: cancelSignal(context),
		calls: callsSettingOf(credential),
		skipCertificateCheck: credential.ignoreSslIssues === true,
		timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
		retryBudgetMs: options.retryBudgetMs ?? DEFAULT_RETRY_BUDGET_MS,
		redaction: new Redaction(token),
	};
	const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	return new ServiceClient(connection, hash('sha256', JSON.stringify([id, baseUrl, token])));
}
