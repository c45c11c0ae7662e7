import { DateTime } from 'luxon';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Parameters } from '../../../shared/fields/parameters';
import type { ServiceClient } from '../../../shared/service/client';
import type { ListQuery } from '../../../shared/service/contract/listQuery';
import { ServiceFailure } from '../../../shared/service/http/failure';

const DEFAULT_LOOK_BACK_DAYS = 30;
const MAX_LOOK_BACK_DAYS = 3650;

export const callIdField: INodeProperties = {
	displayName: 'Call ID',
	name: 'callId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 100482',
	description: 'The ID of the call, as a placed call and the list of calls show it',
};

/** The service has no endpoint for one call (contract 4.2): how far its list is searched. */
export const lookUpFields: INodeProperties[] = [
	{
		displayName: 'Look Back (Days)',
		name: 'lookBackDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_LOOK_BACK_DAYS },
		default: DEFAULT_LOOK_BACK_DAYS,
		description: 'How far back to search for the call',
	},
	{
		displayName: 'Load ID (If Known)',
		name: 'loadId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 48213',
		description: 'The load that the call was about. Makes the search short.',
	},
];

interface Wanted {
	callId: number;
	days: number;
	query: ListQuery;
}

/** Which call is wanted and where to look for it. */
export function readWanted(parameters: Parameters): Wanted {
	const callId = parameters.wholeNumber({ name: 'callId', displayName: 'Call ID' }, { min: 0 });
	const loadId = parameters.optionalText({
		name: 'loadId',
		displayName: 'Load ID',
		maxLength: 200,
	});
	const days =
		parameters.optionalNumber(
			{ name: 'lookBackDays', displayName: 'Look Back (Days)' },
			{ min: 1, max: MAX_LOOK_BACK_DAYS },
		) ?? DEFAULT_LOOK_BACK_DAYS;
	const now = DateTime.utc();
	return {
		callId,
		days,
		query: {
			startTime: now.minus({ days }).toISO(),
			// The service's clock may be ahead of this one: a call that was just placed is found.
			endTime: now.plus({ hours: 1 }).toISO(),
			...(loadId !== undefined && { loadId }),
		},
	};
}

/** @throws ServiceFailure that says what was searched, when the call is not there */
export async function lookUp(client: ServiceClient, wanted: Wanted): Promise<IDataObject> {
	const { callId, days, query } = wanted;
	const { call, searched, complete } = await client.findCall(
		query,
		(candidate) => String(candidate.id) === String(callId),
	);
	if (call) return call;
	const about = query.loadId === undefined ? '' : ` about load ${query.loadId}`;
	throw new ServiceFailure({
		kind: 'status',
		what: `Call ${callId} was not found among the ${searched} calls${about} of the last ${days} days${
			complete ? '' : ', which is not all of them: the service did not hand out the rest'
		}`,
		advice: `Check the Call ID, ${about ? 'leave Load ID empty, ' : ''}or look back more days`,
	});
}
