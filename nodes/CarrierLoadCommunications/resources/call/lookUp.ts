import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { number } from '../../../shared/fields/number';
import { text } from '../../../shared/fields/text';
import type { ServiceClient } from '../../../shared/service/client';
import { ServiceFailure } from '../../../shared/service/http/failure';

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
		callId: text({
			label: 'Call ID',
			required: true,
			example: '100482',
			maxLength: 100,
			...when,
			about: 'The ID of the call, from a placed call or the list of calls',
			check: (id) => (/^\d+$/.test(id) ? undefined : 'must be a whole number'),
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

export interface LookUp {
	callId: string;
	lookBackDays: number;
	loadId: string | undefined;
}

/** @throws ServiceFailure that says what was searched, when the call is not there */
export async function lookUp(client: ServiceClient, asked: LookUp): Promise<IDataObject> {
	const { callId, lookBackDays: days, loadId } = asked;
	const now = DateTime.utc();
	const { call, searched, complete } = await client.findCall(
		{
			startTime: now.minus({ days }).toISO(),
			// The service's clock may be ahead of this one: a call that was just placed is found.
			endTime: now.plus({ hours: 1 }).toISO(),
			...(loadId !== undefined && { loadId }),
		},
		(candidate) => String(candidate.id) === callId,
	);
	if (call) return call;
	const about = loadId === undefined ? '' : ` about load ${loadId}`;
	throw new ServiceFailure({
		kind: 'status',
		what: `Call ${callId} was not found among the ${searched} calls${about} of the last ${days} days${
			complete ? '' : '; the service did not return the full list'
		}`,
		advice: `Check the Call ID, ${about ? 'leave Load ID empty, ' : ''}or look back more days`,
	});
}
