import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { RECORDS } from '../../../shared/columns/records';
import { locator } from '../../../shared/fields/locator';
import { number, text } from '../../../shared/fields/simpleFields';
import type { ServiceClient } from '../../../shared/service/client';
import type { ListQuery } from '../../../shared/service/contract';
import { ServiceFailure } from '../../../shared/service/failure';
import { timestamp } from '../../fields/readTimeRange';
import type { ItemRun } from '../../operations/operation';
import { readOperation } from '../../operations/readOperation';

export interface CallLookUp {
	callId: string;
	lookBackDays: number;
	loadId: string | undefined;
}

/**
 * Which call to look up. The service has no endpoint for one call (contract 4.2), so its list is
 * searched.
 * @param when the fields' `show`, if they are not always shown
 */
export function lookUpFields(when: { show?: { recordingSource: string[] } } = {}) {
	return {
		// Text, because a number can't hold an ID beyond 2^53.
		callId: locator({
			label: 'Call ID',
			required: true,
			example: '100482',
			maxLength: 100,
			...when,
			about: 'The call: one of the last 30 days, or the ID of a placed or listed call',
			...{ one: 'call', search: 'searchCalls', by: 'By ID' },
			pattern: { regex: /^\s*\d+\s*$/, problem: 'must be a whole number' },
		}),
		lookBackDays: number({
			label: 'Look Back (Days)',
			...{ min: 1, max: 3650, default: 30 },
			...when,
			about: 'How far back to search for the call',
		}),
		loadId: text({
			label: 'Load ID (If Known)',
			example: '48213',
			maxLength: 200,
			...when,
			about: 'Load the call was about. Narrows the search.',
		}),
	};
}

export const get = readOperation({
	name: 'Get',
	value: 'get',
	action: 'Get a call',
	description: 'Get a past call and its outcome',
	fields: lookUpFields(),
	rows: RECORDS.calls,
	read: async (asked, run) => ({ rows: [await lookUp(run, asked, run.all)] }),
});

/**
 * The call of one item.
 * @param all what the items look up: those with the same load and days share a search
 * @throws ServiceFailure that says what was searched, when the call is not there
 */
export async function lookUp(
	{ client, context }: Pick<ItemRun<unknown>, 'client' | 'context'>,
	asked: CallLookUp,
	all: readonly CallLookUp[],
): Promise<IDataObject> {
	const search = searchFor(context, asked, all);
	const call = await search.find(client, asked.callId);
	if (call) return call;
	const { callId, lookBackDays: days, loadId } = asked;
	const about = loadId === undefined ? '' : ` about load ${loadId}`;
	throw new ServiceFailure({
		kind: 'status',
		what: `Call ${callId} was not found among the ${search.searched} calls${about} of the last ${days} days${
			search.complete ? '' : '; the service did not return the full list'
		}`,
		advice: `Check the Call ID, ${about ? 'leave Load ID empty, ' : ''}or look back more days`,
	});
}

const searchesOf = new WeakMap<IExecuteFunctions, Map<string, CallSearch>>();

function searchFor(context: IExecuteFunctions, asked: CallLookUp, all: readonly CallLookUp[]) {
	const searches = searchesOf.get(context) ?? new Map<string, CallSearch>();
	searchesOf.set(context, searches);
	const keyOf = ({ lookBackDays, loadId }: CallLookUp) => JSON.stringify([lookBackDays, loadId]);
	const key = keyOf(asked);
	const known = searches.get(key);
	if (known) return known;
	const search = new CallSearch(DateTime.now().setZone(context.getTimezone()), asked);
	for (const other of all) if (keyOf(other) === key) search.wanted.add(other.callId);
	searches.set(key, search);
	return search;
}

/** How far back each part of a search reaches, in days. Most calls looked up are recent. */
const PARTS = [1, 7, 30, 90, 365];

/** Searches the calls of the last days for several calls, part by part, newest first, and only as far as needed. */
class CallSearch {
	readonly wanted = new Set<string>();
	/** How many calls were read, and whether the service returned the full list of them. */
	searched = 0;
	complete = true;
	private readonly found = new Map<string, IDataObject>();
	private readonly parts: ListQuery[];

	/** @param now in the workflow's time zone, where the days begin */
	constructor(now: DateTime, { callId, lookBackDays: days, loadId }: CallLookUp) {
		this.wanted.add(callId);
		// The calls about a load are few.
		const earlier = loadId === undefined ? PARTS.filter((part) => part < days) : [];
		const starts = [...earlier, days].map((part) => now.minus({ days: part }));
		this.parts = starts.map((start, index) => ({
			startTime: timestamp(start),
			// Bounds may be exclusive (contract 4.9), and the service's clock may be ahead.
			endTime: timestamp(starts[index - 1]?.plus({ seconds: 1 }) ?? now.plus({ hours: 1 })),
			...(loadId !== undefined && { loadId }),
		}));
	}

	/** @throws ServiceFailure if a page can't be read; the next search starts with the same part */
	async find(client: ServiceClient, callId: string): Promise<IDataObject | undefined> {
		for (let part = this.parts[0]; part && !this.found.has(callId); part = this.parts[0]) {
			const { searched, complete } = await client.walkCalls(part, (call) => {
				const id = String(call.id);
				if (this.wanted.has(id) && !this.found.has(id)) this.found.set(id, call);
				return this.found.size === this.wanted.size;
			});
			this.searched += searched;
			this.complete &&= complete;
			this.parts.shift();
		}
		return this.found.get(callId);
	}
}
