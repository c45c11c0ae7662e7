import type { IDataObject } from 'n8n-workflow';

import { fields } from '../../../shared/fields/field';
import { output } from '../../fields/output';
import type { JsonObject } from '../../../shared/service/http/json';
import { hasValue } from '../../../shared/events/callOutcome';
import { RESUME_URL_KEY } from '../../../shared/events/resumeUrl';
import type { CallDetails } from '../plan/plannedCall';

/**
 * How an item got its call: `placed` now; `reconciled`, found in the call list after its answer was
 * lost; `skippedDuplicate`, an earlier call stands for it. The others have none: a calling rule kept
 * it from being placed.
 */
export type Placement =
	| 'placed'
	| 'reconciled'
	| 'skippedDuplicate'
	| 'dryRun'
	| 'outsideHours'
	| 'doNotCall';

const WITHOUT_CALL: readonly unknown[] = [
	'dryRun',
	'outsideHours',
	'doNotCall',
] satisfies Placement[];

/** Whether an item has a call whose outcome can be waited for. */
export function hasCall({ placement, callId }: IDataObject): boolean {
	return !WITHOUT_CALL.includes(placement) && callId !== null;
}

/** The fields of an item that has its call. */
export const CALL_FIELDS = {
	simplified: [
		'callId',
		'conversationId',
		'status',
		'placement',
		'placementReason',
		'nextAllowedAt',
		'testCallFor',
		'toPhone',
		'fromPhone',
		'loadNumber',
		'loadId',
		'dotNumber',
		'agentId',
		'createdAt',
		'updatedAt',
		'timedOut',
		'summary',
		'transcript',
		'contentTags',
		'recordingUrl',
		'extracted',
		'metadata',
		'dynamicVariables',
		'request',
	],
	more: ['nextStopIndex', 'answer', 'listedCall', 'event'],
};

/** How the row of an item's call becomes its JSON. */
export const callOutput = fields({
	output: output(CALL_FIELDS, {
		simplified: 'The call as one flat row, for a spreadsheet or a message',
		all: "The same, plus the service's raw response",
	}),
});

/** Fields of a listed call (contract 2.3) that say how the call went. */
const OUTCOME_FIELDS = ['summary', 'transcript', 'contentTags', 'recordingUrl'] as const;

/** A call answered as placed (contract 2.4); the whole answer goes along. */
export function placedRow(call: CallDetails, placed: JsonObject, answer: JsonObject): IDataObject {
	return {
		callId: placed.id ?? null,
		conversationId: placed.conversationId ?? null,
		status: placed.status ?? null,
		placement: 'placed' satisfies Placement,
		...(call.insteadOf !== undefined && {
			placementReason: `The test number was called instead of ${call.insteadOf} (Calling Rules)`,
		}),
		toPhone: placed.toPhone ?? call.toPhone,
		fromPhone: placed.fromPhone ?? null,
		createdAt: placed.createdAt ?? null,
		updatedAt: placed.updatedAt ?? null,
		...call.subject,
		...sentWith(call),
		answer,
	};
}

/**
 * A call found in the list (contract 2.3) instead of answered.
 *
 * @param placementReason a sentence for a dispatcher
 */
export function foundRow(
	call: CallDetails,
	listed: JsonObject,
	placement: 'reconciled' | 'skippedDuplicate',
	placementReason: string,
): IDataObject {
	return {
		callId: listed.id ?? null,
		conversationId: null,
		status: null,
		placement,
		placementReason,
		toPhone: listed.toPhone ?? call.toPhone,
		fromPhone: listed.fromPhone ?? null,
		createdAt: listed.createdAt ?? null,
		...call.subject,
		...sentWith(call),
		...outcomeOf(listed),
		listedCall: listed,
	};
}

/** What a listed call or an event says about how the call went; fields without a value left out. */
export function outcomeOf(call: JsonObject): IDataObject {
	return Object.fromEntries(
		OUTCOME_FIELDS.filter((name) => hasValue(call[name])).map((name) => [name, call[name]]),
	);
}

/** What goes along with a call, and whose call it would be if it weren't for the test number. */
export function sentWith({ metadata, dynamicVariables, insteadOf }: CallDetails): IDataObject {
	// The resume URL lets whoever has it end the wait: it goes to the service and nowhere else.
	const shown = Object.entries(metadata ?? {}).filter(([key]) => key !== RESUME_URL_KEY);
	return {
		...(insteadOf !== undefined && { testCallFor: insteadOf }),
		...(shown.length > 0 && { metadata: Object.fromEntries(shown) }),
		...(dynamicVariables && { dynamicVariables: { ...dynamicVariables } as IDataObject }),
	};
}
