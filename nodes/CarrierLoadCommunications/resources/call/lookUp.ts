import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { locator } from '../../../shared/fields/locator';
import { Parameters } from '../../../shared/fields/parameters';
import { number, text } from '../../../shared/fields/simpleFields';
import { ServiceFailure } from '../../../shared/service/failure';
import { CallSearch, type CallLookUp } from '../../calls/callList';
import type { ItemRun } from '../../operations/readOperation';

type Shown = { recordingSource: string[] };

/**
 * Which call to look up. The service has no endpoint for one call (contract 4.2), so its list is
 * searched.
 *
 * @param show where the fields are shown, if not always
 */
export function lookUpFields(show?: Shown) {
	const when = show && { show };
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
			min: 1,
			max: 3650,
			default: 30,
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

/** Reads what an item looks up; undefined if it looks up no call. @throws InvalidParameter */
export type ReadLookUp = (parameters: Parameters) => CallLookUp | undefined;

/** The searches of each execution of the node: items with the same load and days share one. */
const searchesOf = new WeakMap<IExecuteFunctions, Map<string, CallSearch>>();

/**
 * The call of one item.
 *
 * @param readLookUp reads what another item looks up
 * @throws ServiceFailure that says what was searched, when the call is not there
 */
export async function lookUp(
	{ client, context }: Pick<ItemRun, 'client' | 'context'>,
	asked: CallLookUp,
	readLookUp: ReadLookUp,
): Promise<IDataObject> {
	const searches = searchesOf.get(context) ?? searchesFor(context, readLookUp);
	searchesOf.set(context, searches);
	const shared = searches.get(keyOf(asked));
	// An expression may give another ID each time it is resolved.
	const search = shared?.wanted.has(asked.callId) ? shared : new CallSearch(nowIn(context), asked);
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

/** One search for all items with the same load and days. */
function searchesFor(context: IExecuteFunctions, readLookUp: ReadLookUp): Map<string, CallSearch> {
	const searches = new Map<string, CallSearch>();
	const now = nowIn(context);
	for (const itemIndex of context.getInputData().keys()) {
		const asked = readIfPossible(new Parameters(context, itemIndex), readLookUp);
		if (asked === undefined) continue;
		const search = searches.get(keyOf(asked)) ?? new CallSearch(now, asked);
		search.wanted.add(asked.callId);
		searches.set(keyOf(asked), search);
	}
	return searches;
}

function keyOf({ lookBackDays, loadId }: CallLookUp): string {
	return JSON.stringify([lookBackDays, loadId]);
}

function nowIn(context: IExecuteFunctions): DateTime {
	return DateTime.now().setZone(context.getTimezone());
}

/** An item that can't be read fails when its turn comes. */
function readIfPossible(parameters: Parameters, readLookUp: ReadLookUp): CallLookUp | undefined {
	try {
		return readLookUp(parameters);
	} catch {
		return undefined;
	}
}
