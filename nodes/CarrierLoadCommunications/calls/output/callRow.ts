import type { IDataObject } from 'n8n-workflow';

import { output } from '../../fields/output';
import type { JsonObject } from '../../../shared/service/http/json';
import { hasValue } from '../../../shared/events/callOutcome';
import { RESUME_URL_KEY } from '../../../shared/events/resumeUrl';
import type { CallDetails } from '../plan/plannedCall';

/**
 * How an item got its call: `placed` now; `reconciled`, found in the call list after its response
 * was lost; `skippedDuplicate`, an earlier call. Items with the other values have no call, because
 * a calling rule prevented it.
 */
export type Placement =
	| 'placed'
	| 'reconciled'
	| 'skippedDuplicate'
	| 'dryRun'
	| 'outsideHours'
	| 'doNotCall';

/** Whether an item has a call whose outcome can be awaited, rather than being skipped by a rule. */
export function hasCall({ callId }: IDataObject): boolean {
	return callId !== null;
}

export const CALL_FIELDS = {
	simplified: [
		...['createdAt', 'loadNumber', 'toPhone', 'fromPhone', 'dotNumber', 'agentId'],
		...['status', 'placement', 'timedOut', 'contentTags', 'summary', 'placementReason'],
		...['nextAllowedAt', 'testCallFor', 'callId', 'conversationId', 'updatedAt', 'recordingUrl'],
		...['transcript', 'extracted', 'metadata', 'dynamicVariables', 'request'],
	],
	more: ['loadId', 'nextStopIndex', 'answer', 'listedCall', 'event'],
};

export const callOutput = output(CALL_FIELDS, {
	simplified: 'The call as one flat row, for a spreadsheet or a message',
	all: "The same, plus the service's raw response",
});

/** Fields of a listed call (contract 2.3) that describe its outcome. */
const OUTCOME_FIELDS = ['summary', 'transcript', 'contentTags', 'recordingUrl'] as const;

/** A call from the response to its request (contract 2.4), with the whole response. */
export function placedRow(call: CallDetails, placed: JsonObject, answer: JsonObject): IDataObject {
	const reason =
		call.insteadOf && `The test number was called instead of ${call.insteadOf} (Calling Rules)`;
	return { ...callRow(call, placed, 'placed', reason), answer };
}

/** A call found in the list (contract 2.3). @param placementReason a sentence for a dispatcher */
export function foundRow(
	call: CallDetails,
	listed: JsonObject,
	placement: 'reconciled' | 'skippedDuplicate',
	placementReason: string,
): IDataObject {
	const { id, toPhone, fromPhone, createdAt } = listed;
	const row = callRow(call, { id, toPhone, fromPhone, createdAt }, placement, placementReason);
	return { ...row, ...outcomeOf(listed), listedCall: listed };
}

/** An item's row. @param shown what the service shows of the call (contract 2.4), if there is one */
export function callRow(
	call: CallDetails,
	shown: JsonObject,
	placement: Placement,
	placementReason: string | undefined,
): IDataObject {
	const { metadata, dynamicVariables, insteadOf } = call;
	// Anyone with the resume URL can end the wait, so it is sent only to the service.
	const sent = Object.entries(metadata ?? {}).filter(([key]) => key !== RESUME_URL_KEY);
	return {
		callId: shown.id ?? null,
		conversationId: shown.conversationId ?? null,
		status: shown.status ?? null,
		placement,
		...(placementReason !== undefined && { placementReason }),
		toPhone: shown.toPhone ?? call.toPhone,
		fromPhone: shown.fromPhone ?? null,
		createdAt: shown.createdAt ?? null,
		updatedAt: shown.updatedAt ?? null,
		...call.subject,
		...(insteadOf !== undefined && { testCallFor: insteadOf }),
		...(sent.length > 0 && { metadata: Object.fromEntries(sent) }),
		...(dynamicVariables && { dynamicVariables: { ...dynamicVariables } as IDataObject }),
	};
}

/** What a listed call or an event says about the outcome, without empty fields. */
export function outcomeOf(call: JsonObject): IDataObject {
	return Object.fromEntries(
		OUTCOME_FIELDS.filter((name) => hasValue(call[name])).map((name) => [name, call[name]]),
	);
}
