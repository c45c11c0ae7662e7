import type { IDataObject } from 'n8n-workflow';

import { RESUME_URL_KEY, withoutResumeUrl } from '../../shared/events/resumeUrl';
import { hasValue } from '../../shared/outcome/callOutcome';
import { callPath } from '../../shared/service/callEndpoints';
import type { JsonObject } from '../../shared/service/json';
import { output } from '../fields/output';
import type { CallDetails, Placement, PlannedCall } from './call';

export const CALL_FIELDS = {
	simplified: [
		...['createdAt', 'loadNumber', 'toPhone', 'fromPhone', 'dotNumber', 'agentId'],
		...['status', 'placement', 'timedOut', 'contentTags', 'summary', 'placementReason'],
		...['nextAllowedAt', 'testCallFor', 'callId', 'conversationId', 'updatedAt', 'recordingUrl'],
		...['transcript', 'extracted', 'metadata', 'dynamicVariables', 'request'],
	],
	more: ['loadId', 'nextStopIndex', 'answer', 'listedCall', 'event'],
	areCalls: true,
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
		call.intendedPhone &&
		`The test number was called instead of ${call.intendedPhone} (${call.testedBy})`;
	return { ...callRow(call, placed, 'placed', reason), answer };
}

/** A call found in the list (contract 2.3). @param placementReason a sentence for a dispatcher */
export function reconciledRow(
	call: CallDetails,
	listed: JsonObject,
	placementReason: string,
): IDataObject {
	const { id, toPhone, fromPhone, createdAt } = listed;
	const shown = { id, toPhone, fromPhone, createdAt };
	const row = callRow(call, shown, 'reconciled', placementReason);
	return { ...row, ...outcomeOf(listed), listedCall: listed };
}

/** An item's row. @param shown what the service shows of the call (contract 2.4), if there is one */
function callRow(
	call: CallDetails,
	shown: JsonObject,
	placement: Placement,
	placementReason: string | undefined,
): IDataObject {
	const { metadata, dynamicVariables, intendedPhone } = call;
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
		...(intendedPhone !== undefined && { testCallFor: intendedPhone }),
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

/** Adds to the reason of a skipped call how the earlier one ended: it may have reached nobody. */
export function reasonWithEnd(row: IDataObject, end: string | undefined): IDataObject {
	const placementReason = String(row.placementReason);
	const sentence = ` The earlier call ended: ${end}.`;
	const isSaid = end === undefined || placementReason.includes(sentence);
	if (row.placement !== 'skippedDuplicate' || isSaid) return {};
	return { placementReason: placementReason + sentence };
}

const NO_OUTCOME = 'Dry run: no call was placed';
const OUTCOME = {
	...{ timedOut: false, summary: NO_OUTCOME, transcript: NO_OUTCOME },
	...{ contentTags: '', recordingUrl: null },
};

/**
 * The row of an item whose call a rule skips, with the fields of a placed call: the rest of the
 * workflow can be tested with a dry run.
 *
 * @param waits whether the item would have received its call's outcome
 */
export function skippedRow(
	call: PlannedCall,
	placement: Extract<Placement, 'dryRun' | 'wouldFail' | 'outsideHours' | 'doNotCall'>,
	placementReason: string,
	nextAllowedAt: string | undefined,
	waits: boolean,
): IDataObject {
	const isDryRun = placement === 'dryRun';
	const now = new Date().toISOString();
	const shown = isDryRun ? { status: 'DRY_RUN', createdAt: now, updatedAt: now } : {};
	return {
		...callRow(call, shown, placement, placementReason),
		...(nextAllowedAt !== undefined && { nextAllowedAt }),
		...(isDryRun && waits && OUTCOME),
		...(isDryRun && { request: unsentRequest(call) }),
	};
}

function unsentRequest(call: PlannedCall): IDataObject {
	const body = JSON.parse(JSON.stringify(call.body));
	return withoutResumeUrl({ method: 'POST', path: callPath(call), body });
}
