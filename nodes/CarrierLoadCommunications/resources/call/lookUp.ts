import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { locator } from '../../../shared/fields/locator';
import { number } from '../../../shared/fields/number';
import { text } from '../../../shared/fields/text';
import { ServiceFailure } from '../../../shared/service/http/failure';
import type { ItemRun } from '../../operations/itemOperation';
import { CallWalks, type LookUp, type ReadLookUp } from './callWalks';

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

/** The walks of each execution of the node: items with the same load and days share one. */
const walksOf = new WeakMap<IExecuteFunctions, CallWalks>();

/** Lets the list be read again for the calls of the next items. */
export function forgetCalls({ context }: Pick<ItemRun, 'context'>): void {
	walksOf.delete(context);
}

/**
 * The call of one item.
 *
 * @param readLookUp reads what another item looks up
 * @throws ServiceFailure that says what was searched, when the call is not there
 */
export async function lookUp(
	{ client, context }: Pick<ItemRun, 'client' | 'context'>,
	asked: LookUp,
	readLookUp: ReadLookUp,
): Promise<IDataObject> {
	const walks = walksOf.get(context) ?? new CallWalks(context, readLookUp);
	walksOf.set(context, walks);
	const walk = walks.walkFor(asked);
	const call = await walk.find(client, asked.callId);
	if (call) return call;
	const { callId, lookBackDays: days, loadId } = asked;
	const about = loadId === undefined ? '' : ` about load ${loadId}`;
	throw new ServiceFailure({
		kind: 'status',
		what: `Call ${callId} was not found among the ${walk.searched} calls${about} of the last ${days} days${
			walk.complete ? '' : '; the service did not return the full list'
		}`,
		advice: `Check the Call ID, ${about ? 'leave Load ID empty, ' : ''}or look back more days`,
	});
}
