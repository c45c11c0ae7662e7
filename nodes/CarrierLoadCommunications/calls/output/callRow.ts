import type { IDataObject } from 'n8n-workflow';

import { fields } from '../../../shared/fields/field';
import { output } from '../../fields/output';
import type { Metadata } from '../../../shared/service/contract/call';
import type { JsonObject } from '../../../shared/service/http/json';
import { hasValue } from '../../../shared/events/callOutcome';
import { RESUME_URL_KEY } from '../../../shared/events/resumeUrl';
import { withoutExtension } from '../plan/phoneNumber';

/**
 * How an item came to its call: `placed` now; `reconciled`, found in the service's list after its
 * answer was lost; `skippedDuplicate`, an earlier call stands for it.
 */
export type CallOutcome = 'placed' | 'reconciled' | 'skippedDuplicate';

/** What a call is about, in the request's own names. */
export interface CallSubject {
	loadNumber?: string;
	loadId?: string;
	dotNumber?: number;
	agentId?: string;
	nextStopIndex?: number;
}

/** A call that is to be placed. */
export interface WantedCall {
	kind: 'checkCall' | 'carrierSalesCall' | 'agentCall';
	toPhone: string;
	subject: CallSubject;
	metadata?: Metadata | undefined;
	dynamicVariables?: Record<string, unknown> | undefined;
}

/** The fields of an item that has its call. */
export const CALL_FIELDS = {
	simplified: [
		'callId',
		'conversationId',
		'status',
		'outcome',
		'placementReason',
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

/** The load that a call is about; undefined for an agent call. */
export function loadOf({ subject }: WantedCall): string | undefined {
	return subject.loadNumber ?? subject.loadId;
}

/** A call that was answered as placed (contract 2.4); the whole answer goes along. */
export function placedRow(wanted: WantedCall, call: JsonObject, answer: JsonObject): IDataObject {
	return {
		callId: call.id ?? null,
		conversationId: call.conversationId ?? null,
		status: call.status ?? null,
		outcome: 'placed' satisfies CallOutcome,
		toPhone: call.toPhone ?? wanted.toPhone,
		fromPhone: call.fromPhone ?? null,
		createdAt: call.createdAt ?? null,
		updatedAt: call.updatedAt ?? null,
		...wanted.subject,
		...sent(wanted),
		answer,
	};
}

/** A call that was found in the list (contract 2.3) instead of being answered. */
export function foundRow(
	wanted: WantedCall,
	call: JsonObject,
	outcome: Exclude<CallOutcome, 'placed'>,
): IDataObject {
	return {
		callId: call.id ?? null,
		conversationId: null,
		status: null,
		outcome,
		toPhone: call.toPhone ?? wanted.toPhone,
		fromPhone: call.fromPhone ?? null,
		createdAt: call.createdAt ?? null,
		...wanted.subject,
		...sent(wanted),
		...outcomeOf(call),
		listedCall: call,
	};
}

/** What a listed call or an event says about how the call went; fields without a value left out. */
export function outcomeOf(call: JsonObject): IDataObject {
	return Object.fromEntries(
		OUTCOME_FIELDS.filter((name) => hasValue(call[name])).map((name) => [name, call[name]]),
	);
}

/** Whether a listed call went to this number; an extension counts where both have one. */
export function isCallTo(toPhone: string, listed: JsonObject): boolean {
	if (typeof listed.toPhone !== 'string') return false;
	const digits = (phone: string) => withoutExtension(phone).replace(/\D/g, '');
	if (digits(listed.toPhone) !== digits(toPhone)) return false;
	const [mine, other] = [toPhone, listed.toPhone].map((phone) => /;ext=(\d+)/.exec(phone)?.[1]);
	return mine === undefined || other === undefined || mine === other;
}

function sent({ metadata, dynamicVariables }: WantedCall): IDataObject {
	// The resume address lets its holder end the wait: it goes to the service and nowhere else.
	const shown = Object.entries(metadata ?? {}).filter(([key]) => key !== RESUME_URL_KEY);
	return {
		...(shown.length > 0 && { metadata: Object.fromEntries(shown) }),
		...(dynamicVariables && { dynamicVariables: { ...dynamicVariables } as IDataObject }),
	};
}
