import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../../shared/service/http/json';
import { timeOf } from '../../../shared/service/recordTime';
import { foundRow } from '../output/callRow';
import { callIdOf } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';

/** The row of an item whose call was placed before, by whomever. @param withinMs the guard's time */
export function earlierRow(call: PlannedCall, listed: JsonObject, withinMs: number): IDataObject {
	const placedAt = timeOf(listed)?.ms ?? Date.now();
	const { placementReason } = skipped({ callId: listed.id }, placedAt, withinMs);
	return foundRow(call, listed, 'skippedDuplicate', placementReason);
}

/** Why no call is placed if a listed call may be the same one: half a sentence, and what to do. */
export function mayBeSame({ insteadOf }: PlannedCall, listed: JsonObject): string {
	const why =
		insteadOf === undefined
			? "whose number, time or ID can't be read"
			: 'and the list does not say for whom the test number was called';
	return `The call list shows a call about this load (ID ${callIdOf(listed) ?? 'none'}) ${why}, so it may be the same call. Look it up in Call > Get Many. If it is another call, set Skip If Called Within to 0 and run this item again`;
}

/** "Call 5012 to this number was placed 3 minutes ago (Skip If Called Within is 10 minutes)." */
export function skipped({ callId }: IDataObject, placedAt: number, withinMs: number) {
	const age = minutes(Date.now() - placedAt);
	const placementReason = `Call ${String(callId)} to this number was placed ${age} ago (Skip If Called Within is ${minutes(withinMs)}).`;
	return { placement: 'skippedDuplicate', placementReason };
}

function minutes(ms: number): string {
	const count = Math.round(ms / 60_000);
	// Also if the service's clock is ahead.
	if (count < 1) return 'less than a minute';
	return count === 1 ? '1 minute' : `${count} minutes`;
}
