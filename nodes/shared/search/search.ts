import { DateTime } from 'luxon';
import { NodeOperationError } from 'n8n-workflow';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { ListName } from '../columns/records';
import { describeFailure, textOf } from '../errors/itemError';
import { isScalar } from '../events/event';
import { digitsOfMcNumber } from '../fields/locator';
import { connect } from '../service/client';
import { DEFAULT_PAGE_SIZE } from '../service/contract';
import { ServiceFailure } from '../service/failure';
import type { JsonObject } from '../service/json';
import { timeOf } from '../service/record';

const LOOK_BACK_DAYS = 7;
/** How long the request and its retries may take while the user looks at the list. */
const PATIENCE_MS = 10_000;
/** A service may return more than it was asked for, and writing 20,000 times takes a second. */
const MOST_ROWS = 5 * DEFAULT_PAGE_SIZE;
const BUSY = 'Try again later, or enter the number instead of choosing it from the list';

/** Of a row: the value, what is shown of it, and what else can be typed to find it. */
type EntryOf = (
	row: JsonObject,
	time: string,
) => { value: string; shown: string[]; hidden?: string[] };

/**
 * The entries of a resource locator, newest first: records of the last seven days, in one request.
 * @param filter what the user typed
 * @param entryOf gets a row with its time, such as "Oct 3, 14:05", or '' if it has none
 * @throws NodeOperationError in words for the user
 */
async function searchRecent(
	context: ILoadOptionsFunctions,
	list: ListName,
	filter: string | undefined,
	entryOf: EntryOf,
): Promise<INodeListSearchResult> {
	try {
		const client = await connect(context, { timeoutMs: PATIENCE_MS, retryBudgetMs: PATIENCE_MS });
		const now = DateTime.utc();
		// The service's clock may be ahead.
		const endTime = now.plus({ hours: 1 }).toISO();
		const range = { startTime: now.minus({ days: LOOK_BACK_DAYS }).toISO(), endTime };
		const page = { offset: 0, limit: DEFAULT_PAGE_SIZE };
		const { rows } = await client.readListPage(list, range, page);
		return { results: entriesOf(rows.slice(0, MOST_ROWS), entryOf, context.getTimezone(), filter) };
	} catch (error) {
		const shown = new NodeOperationError(context.getNode(), textOf(error));
		// The editor's list shows nothing of an error but its message (n8n 2.41), and n8n-workflow
		// replaces messages that contain an error code.
		shown.message = textOf(error);
		if (error instanceof ServiceFailure) {
			const { details } = error;
			// The usual advice for a busy service is to run the node again.
			const advice = details.retryAfterMs === undefined ? details.advice : BUSY;
			shown.message += `. ${describeFailure({ ...details, advice })}`;
		}
		throw shown;
	}
}

/** The rows that match what the user typed, each value once, with its newest row. */
function entriesOf(rows: JsonObject[], entryOf: EntryOf, zone: string, filter = '') {
	const words = filter.toLowerCase().slice(0, 200).split(/\s+/);
	const entries = new Map<string, { name: string; value: string; at: number }>();
	for (const row of rows) {
		const { ms: at = 0, toleranceMs = 0 } = timeOf(row) ?? {};
		// A time without a zone is shown as the service writes it.
		const shownIn = { zone: toleranceMs > 0 ? 'utc' : zone, locale: 'en-US' };
		const time = at > 0 ? DateTime.fromMillis(at, shownIn).toFormat('LLL d, HH:mm') : '';
		const { value, shown, hidden = [] } = entryOf(row, time);
		if (value === '' || at < (entries.get(value)?.at ?? 0)) continue;
		const name = shown.filter(Boolean).join(' · ');
		const searched = [name, value, ...hidden].join(' ').toLowerCase();
		if (words.every((word) => searched.includes(word))) entries.set(value, { name, value, at });
	}
	const newestFirst = [...entries.values()].sort((one, other) => other.at - one.at);
	return newestFirst.map(({ name, value }) => ({ name, value }));
}

/** A row's field as text; the texts of a list with commas between them. */
export function shownText(value: unknown): string {
	return [value].flat().filter(isScalar).join(', ').trim();
}

/** The calls of the last days, to choose one: "Oct 3, 14:05 · load 48213 · Luis Ortega" (contract 2.3). */
export async function searchCalls(this: ILoadOptionsFunctions, filter?: string) {
	return await searchRecent(this, 'calls', filter, (row, time) => {
		const { id, loadIds, callerName, fromPhone, toPhone, mcNumber } = row;
		const [value, loads] = [shownText(id), shownText(loadIds)];
		const who = shownText(callerName) || shownText(toPhone) || `call ${value}`;
		const hidden = [fromPhone, toPhone, mcNumber].map(shownText);
		return { value, shown: [time, loads && `load ${loads}`, who], hidden };
	});
}

/**
 * The carriers of a list that is to be filtered, by MC number: "MC 738202 · Luis Ortega · Oct 3,
 * 14:05" (contract 2.2, 2.3, 2.5). The lists do not name the carrier, only who called.
 */
export async function searchMcNumbers(this: ILoadOptionsFunctions, filter?: string) {
	// The list that the form filters: by the action node's resource, or the polling trigger's event.
	const { resource, event } = Object(this.getCurrentNodeParameters());
	const [list = 'calls'] = (['bids', 'conversations'] as const).filter((name) =>
		`${String(event ?? resource).toLowerCase()}s`.endsWith(name),
	);
	return await searchRecent(this, list, filter && digitsOfMcNumber(filter), (row, time) => {
		const { carrierMc, mcNumber, callerName, emailFrom } = row;
		const value = shownText(carrierMc ?? mcNumber);
		return { value, shown: [`MC ${value}`, shownText(callerName) || shownText(emailFrom), time] };
	});
}
