import { DateTime } from 'luxon';
import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';

import type { ListName } from '../columns/records';
import { describeFailure, textOf } from '../errors/itemError';
import { digitsOfMcNumber } from '../fields/locator';
import { connect } from '../service/client';
import { ServiceFailure } from '../service/failure';
import type { JsonObject } from '../service/json';
import { timeOf, type RecordTime } from '../service/record';
import { DEFAULT_PAGE_SIZE } from '../service/request';

const LOOK_BACK_DAYS = 7;

/** How long the request and its retries may take while the user looks at the list. */
const PATIENCE_MS = 10_000;

const ADVICE = 'Try again later, or enter the number instead of choosing it from the list';

/** A list of the service in which a user looks for one of the newest records (contract 4.2). */
export interface RecentSearch {
	list: ListName;
	/**
	 * @param time such as "Oct 3, 14:05"; empty if the row has none
	 * @returns the entry's value, what is shown of it, and what else can be typed to find it
	 */
	entryOf(row: JsonObject, time: string): { value: string; shown: string[]; hidden?: string[] };
}

/**
 * The entries of a resource locator, newest first: records of the last seven days, in one request.
 *
 * @param filter what the user typed
 * @throws NodeOperationError in words for the user
 */
export async function searchRecent(
	context: ILoadOptionsFunctions,
	search: RecentSearch,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const client = await connect(context, { timeoutMs: PATIENCE_MS, retryBudgetMs: PATIENCE_MS });
		const now = DateTime.utc();
		const range = {
			startTime: now.minus({ days: LOOK_BACK_DAYS }).toISO(),
			// The service's clock may be ahead.
			endTime: now.plus({ hours: 1 }).toISO(),
		};
		const request = { offset: 0, limit: DEFAULT_PAGE_SIZE };
		const { rows } = await client.readListPage(search.list, range, request);
		return { results: entriesOf(rows, search, filter, context.getTimezone()) };
	} catch (error) {
		const advice = error instanceof ServiceFailure ? `. ${adviceFor(error)}` : '';
		const shown = new NodeOperationError(context.getNode(), textOf(error));
		// The editor's list shows nothing of an error but its message (n8n 2.41), and n8n-workflow
		// replaces messages that contain an error code.
		shown.message = `${textOf(error)}${advice}`;
		throw shown;
	}
}

/** The usual advice for a busy service is to run the node again. */
function adviceFor({ details }: ServiceFailure): string {
	const isBusy = details.retryAfterMs !== undefined;
	return describeFailure(isBusy ? { ...details, advice: ADVICE } : details);
}

/** The rows that match what the user typed, each value once, with its newest row. */
function entriesOf(
	rows: JsonObject[],
	{ entryOf }: RecentSearch,
	filter: string,
	zone: string,
): INodeListSearchItems[] {
	const words = filter.toLowerCase().slice(0, 200).split(/\s+/);
	const entries = new Map<string, { name: string; at: number }>();
	for (const row of rows) {
		const time = timeOf(row);
		const at = time?.ms ?? 0;
		const {
			value,
			shown,
			hidden = [],
		} = entryOf(row, time === undefined ? '' : shownTime(time, zone));
		if (value === '' || at < (entries.get(value)?.at ?? 0)) continue;
		const name = shown.filter(Boolean).join(' · ');
		const searched = [name, value, ...hidden].join(' ').toLowerCase();
		if (words.every((word) => searched.includes(word))) entries.set(value, { name, at });
	}
	return [...entries]
		.sort(([, one], [, other]) => other.at - one.at)
		.map(([value, { name }]) => ({ name, value }));
}

/** A time without a zone is shown as the service writes it. */
function shownTime({ ms, toleranceMs }: RecordTime, zone: string): string {
	const shownZone = toleranceMs > 0 ? 'utc' : zone;
	return DateTime.fromMillis(ms, { zone: shownZone, locale: 'en-US' }).toFormat('LLL d, HH:mm');
}

/** A row's field as text; the texts of a list with commas between them. */
export function shownText(value: unknown): string {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const texts = values.filter((part) => typeof part === 'string' || typeof part === 'number');
	return texts.join(', ').trim();
}

/**
 * The carriers of a list that is to be filtered, by MC number: "MC 738202 · Luis Ortega · Oct 3,
 * 14:05" (contract 2.2, 2.3, 2.5). The lists do not name the carrier, only who called.
 */
export async function searchMcNumbers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const list = filteredList(this);
	const search: RecentSearch = {
		list,
		entryOf(row, time) {
			const value = shownText(list === 'bids' ? row.carrierMc : row.mcNumber);
			const who = shownText(row.callerName) || shownText(row.emailFrom);
			return { value, shown: [`MC ${value}`, who, time] };
		},
	};
	return await searchRecent(this, search, digitsOfMcNumber(filter));
}

/** The list that the form filters: by the action node's resource, or the polling trigger's event. */
function filteredList(context: ILoadOptionsFunctions): ListName {
	const { resource, event } = Object(context.getCurrentNodeParameters());
	const about = String(event ?? resource).toLowerCase();
	if (about.endsWith('bid')) return 'bids';
	return about.endsWith('conversation') ? 'conversations' : 'calls';
}
