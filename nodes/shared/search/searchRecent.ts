import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { DateTime } from 'luxon';

import { describeFailure } from '../errors/describeFailure';
import { textOf } from '../errors/textOf';
import type { ListName } from '../columns/records';
import { connect, type ServiceClient } from '../service/client';
import type { ListQuery } from '../service/contract';
import { ServiceFailure } from '../service/http/failure';
import { PageSizes } from '../service/pagination/pages/pageSizes';
import { Entries, type RowEntry } from './entries';

/** A list of the service in which a user looks for one of the newest records (contract 4.2). */
export interface RecentSearch extends RowEntry {
	list: ListName;
	/** The service's filter for a typed number. */
	filterBy: 'loadId' | 'mcNumber';
}

const RECENT_HOURS = 12;
const LOOK_BACK_DAYS = 30;
const PAGE_SIZE = 200;

/** How many entries fill the editor's list. */
const ENOUGH = 10;

/** Requests each time the user types or scrolls. */
const MAX_REQUESTS = 2;

/** How long a request and its retries may take while the user looks at the list. */
const PATIENCE_MS = 10_000;

const ADVICE = 'Try again later, or enter the number instead of choosing it from the list';

/**
 * The entries of a resource locator, newest first: records of the last hours, then of the last 30
 * days, page by page. A typed number is searched for with the service's own filter first. The order
 * of a list is unknown (contract 4.9), so only a short time range returns the newest records first.
 *
 * @param filter what the user typed
 * @param token where the last search ended
 * @throws NodeOperationError in words for the user
 */
export async function searchRecent(
	context: ILoadOptionsFunctions,
	search: RecentSearch,
	filter = '',
	token = '0:0',
): Promise<INodeListSearchResult> {
	try {
		const client = await connect(context, { timeoutMs: PATIENCE_MS, retryBudgetMs: PATIENCE_MS });
		const entries = new Entries(search, filter, context.getTimezone());
		const paginationToken = await readInto(entries, client, search, filter, token);
		const results = entries.newestFirst();
		return paginationToken === undefined ? { results } : { results, paginationToken };
	} catch (error) {
		const advice = error instanceof ServiceFailure ? `. ${descriptionOf(error)}` : '';
		const shown = new NodeOperationError(context.getNode(), textOf(error));
		// The editor's list shows nothing of an error but its message (n8n 2.41), and n8n-workflow
		// replaces messages that contain an error code.
		shown.message = `${textOf(error)}${advice}`;
		throw shown;
	}
}

/** The usual advice for a busy service is to run the node again. */
function descriptionOf({ details }: ServiceFailure): string {
	return describeFailure(
		details.retryAfterMs !== undefined ? { ...details, advice: ADVICE } : details,
	);
}

/** Reads until there are enough entries. Returns where the next search starts; undefined at the end. */
async function readInto(
	entries: Entries,
	client: ServiceClient,
	{ list, filterBy }: RecentSearch,
	filter: string,
	token: string,
): Promise<string | undefined> {
	const queries = queriesFor(filter, filterBy);
	const sizes = new PageSizes(PAGE_SIZE);
	let [part = 0, offset = 0] = token.split(':').map(Number);
	for (let requests = 0; requests < MAX_REQUESTS && entries.count < ENOUGH; requests++) {
		const query = queries[part];
		if (!query) break;
		const request = { offset, limit: PAGE_SIZE };
		const page = await client.readListPage(list, query, request);
		for (const row of page.rows) entries.add(row);
		offset += page.rows.length;
		// A total alone is no proof of the end, and the service may return fewer than asked.
		const isLast = !sizes.isFull(request, page) && offset >= (page.total ?? 0);
		if (isLast || page.rows.length === 0) [part, offset] = [part + 1, 0];
	}
	return part < queries.length ? `${part}:${offset}` : undefined;
}

/** The ranges to read, in order. The service's clock may be ahead of this one. */
function queriesFor(filter: string, filterBy: RecentSearch['filterBy']): ListQuery[] {
	const now = DateTime.utc();
	const startTime = now.minus({ days: LOOK_BACK_DAYS }).toISO();
	const recent = now.minus({ hours: RECENT_HOURS }).toISO();
	const endTime = now.plus({ hours: 1 }).toISO();
	const [number] = /\S*\d\S*$/.exec(filter.trim()) ?? [];
	return number === undefined
		? [
				{ startTime: recent, endTime },
				{ startTime, endTime: recent },
			]
		: [
				{ startTime, endTime, [filterBy]: number },
				{ startTime, endTime },
			];
}
