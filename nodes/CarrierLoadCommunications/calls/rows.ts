import type { IDataObject } from 'n8n-workflow';

import type { ShapeRow } from '../../shared/columns/columns';
import { RESUME_URL_KEY, withoutResumeUrl } from '../../shared/events/resumeUrl';
import { group } from '../../shared/fields/field';
import { flag } from '../../shared/fields/simpleFields';
import { hasEnded, hasValue } from '../../shared/outcome/callOutcome';
import { outcomeRecord } from '../../shared/outcome/outcomeRecord';
import { callPath } from '../../shared/service/contract';
import type { JsonObject } from '../../shared/service/json';
import { output, type Output, shapeFor } from '../fields/output';
import type { CallDetails, Placement, PlannedCall } from './call';

/** The columns of a call that was waited for. */
const OUTCOME_COLUMNS =
	'outcome optOut eta arrivedAt delayed delayMinutes delayReason offeredRate summary'.split(' ');

/** The first columns: what a person reads. The item's own input fields come next. */
const FIRST = `loadNumber contact result outcome summary optOut eta arrivedAt delayed delayMinutes
	delayReason offeredRate contentTags timedOut placement placementReason nextAllowedAt status callId
	conversationId toPhone fromPhone testCallFor dotNumber agentId localTime createdAt updatedAt
	recordingUrl`.split(/\s+/);

const CALL_FIELDS = {
	simplified: [...FIRST, 'metadata', 'transcript', 'extracted', 'dynamicVariables', 'request'],
	more: ['loadId', 'nextStopIndex', 'answer', 'listedCall', 'event'],
	areCalls: true,
	hasOwnOrder: true,
};

/** Kept from the input if the call has none: they say what it is about, and nothing of an earlier call. */
const SUBJECT_FIELDS = ['loadNumber', 'contact', 'dotNumber', 'agentId', 'loadId', 'nextStopIndex'];

/** Input fields that would be taken for this call's, such as the `callId` of a sheet's last run. */
const NOT_KEPT = new Set(
	[...CALL_FIELDS.simplified, ...CALL_FIELDS.more, 'error'].filter(
		(name) => !SUBJECT_FIELDS.includes(name),
	),
);

/** The chosen output of a call, with the item's own fields if they are included. */
export interface CallOutput extends Output {
	input: IDataObject;
}

export const callOutput = group(
	{
		output: output(CALL_FIELDS, {
			simplified: 'The call as one flat row, for a spreadsheet or a message',
			all: "The same, plus the service's raw response",
		}),
		includeInputFields: flag({
			label: 'Include Input Fields',
			default: true,
			about:
				"Whether to include the item's own input fields. The call's fields take precedence over input fields of the same name.",
			editor: { displayOptions: { hide: { '@tool': [true] } } },
		}),
	},
	(read, { inputItem, forAgent, timezone }): CallOutput => {
		const chosen = read('output');
		const input = !forAgent && read('includeInputFields') ? inputItem : {};
		return { ...chosen, input, shape: shapeCall({ ...chosen, input }, timezone, forAgent) };
	},
);

/** How a call's row becomes an item's JSON. Exported for a wait, which ends without the form. */
export function shapeCall(
	{ input, ...chosen }: Omit<CallOutput, 'shape'>,
	zone: string,
	forAgent = false,
): ShapeRow {
	const shape = shapeFor(CALL_FIELDS, chosen, zone, forAgent);
	const kept = Object.fromEntries(Object.entries(input).filter(([name]) => !NOT_KEPT.has(name)));
	return ({ result: stored, ...row }) => {
		const outcome = row.timedOut === undefined ? {} : outcomeRecord(row);
		const result = resultOf(row, stored, outcome);
		const columns = OUTCOME_COLUMNS.filter((name) => name in outcome);
		const said = Object.fromEntries(columns.map((name) => [name, outcome[name]]));
		const full = { ...row, ...said, result };
		// Output: Outcome would read these columns as what the call said.
		const json = chosen.level === 'outcome' ? { ...shape(row), result } : shape(full);
		if (chosen.level !== 'simplified') return { ...json, ...kept, ...json };
		const filled = Object.entries(json).filter(([, value]) => value !== null && value !== '');
		const first = filled.filter(([name]) => FIRST.includes(name));
		return { ...Object.fromEntries(first), ...kept, ...Object.fromEntries(filled) };
	};
}

/** Whether a row's item got its own call. */
export function isCalled({ placement }: IDataObject): boolean {
	return placement === 'placed' || placement === 'reconciled';
}

/** What happened, in words: "Called: voicemail". @param stored why there is no call */
function resultOf(row: IDataObject, stored: unknown, { outcome }: IDataObject) {
	if (!isCalled(row)) return String(stored ?? row.placementReason);
	const called = row.testCallFor === undefined ? 'Called' : 'Called the test number';
	if (row.timedOut === undefined) return called;
	if (row.timedOut === true) return `${called}: no outcome yet`;
	if (outcome === 'noAnswer') return `${called}: no answer`;
	return `${called}: ${outcome === 'unknown' ? 'outcome unknown' : String(outcome)}`;
}

/** The row in a dry run: "Dry run: would be skipped (called 2 minutes ago)". */
export function rehearsedRow(row: IDataObject): IDataObject {
	const result = String(row.result)
		.replace(/^Skipped: (.*)$/, 'Dry run: would be skipped ($1)')
		.replace(/^Not called: (.*)$/, 'Dry run: would not be called ($1)');
	return { ...row, result };
}

/** A listed call's status; the service may show none of a call that has ended (contract 2.3). */
export function statusOf(status: JsonObject[string], isEnded: boolean): JsonObject[string] {
	if (hasValue(status)) return status;
	return isEnded ? 'COMPLETED' : null;
}

/** Fields of a listed call (contract 2.3) that describe its outcome. */
const OUTCOME_FIELDS = ['summary', 'transcript', 'contentTags', 'recordingUrl'] as const;

/** A call from the response to its request (contract 2.4), with the whole response. */
export function placedRow(call: CallDetails, placed: JsonObject, answer: JsonObject): IDataObject {
	const { intendedPhone: own, testedBy } = call;
	const reason = own && `The test number was called instead of ${own} (${testedBy})`;
	return { ...callRow(call, placed, 'placed', reason), answer };
}

/** A call found in the list (contract 2.3). @param placementReason a sentence for a dispatcher */
export function reconciledRow(call: CallDetails, listed: JsonObject, placementReason: string) {
	const { id, toPhone, fromPhone, createdAt } = listed;
	const status = statusOf(listed.status, hasEnded(listed));
	const shown = { id, toPhone, fromPhone, createdAt, status };
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
	const { contact, metadata, dynamicVariables, intendedPhone } = call;
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
		...(contact !== undefined && { contact }),
		...(intendedPhone !== undefined && { testCallFor: intendedPhone }),
		...(sent.length > 0 && { metadata: Object.fromEntries(sent) }),
		...(dynamicVariables && { dynamicVariables: { ...dynamicVariables } as IDataObject }),
	};
}

/** What a listed call or an event says about the outcome, without empty fields. */
export function outcomeOf(call: JsonObject): IDataObject {
	const filled = OUTCOME_FIELDS.filter((name) => hasValue(call[name]));
	return Object.fromEntries(filled.map((name) => [name, call[name]]));
}

/** Adds to the reason of a skipped call how the earlier one ended: it may have reached no one. */
export function reasonWithEnd(row: IDataObject, end: string | undefined): IDataObject {
	const placementReason = String(row.placementReason);
	const sentence = ` The earlier call ended: ${end}.`;
	const isSaid = end === undefined || placementReason.includes(sentence);
	if (row.placement !== 'skippedDuplicate' || isSaid) return {};
	return { placementReason: placementReason + sentence };
}

const NO_OUTCOME = 'Dry run: no call was placed';
const UNCALLED_OUTCOME = {
	...{ timedOut: false, summary: NO_OUTCOME, transcript: NO_OUTCOME },
	...{ contentTags: '', recordingUrl: null },
};

/** A dry run's row as if it had waited for its outcome: the rest of the workflow can be tested with it. */
export function withUncalledOutcome(row: IDataObject): IDataObject {
	return row.callId === null ? { ...UNCALLED_OUTCOME, ...row } : row;
}

/**
 * The row of an item whose call a rule skips, with the fields of a placed call.
 *
 * @param why in words for a column, in a sentence, and until when
 */
export function skippedRow(
	call: PlannedCall,
	placement: Placement,
	why: { result: string; placementReason: string; nextAllowedAt: string | undefined },
): IDataObject {
	const { result, placementReason, nextAllowedAt } = why;
	const isDryRun = placement === 'dryRun';
	const now = new Date().toISOString();
	const shown = isDryRun ? { status: 'DRY_RUN', createdAt: now, updatedAt: now } : {};
	return {
		...callRow(call, shown, placement, placementReason),
		result,
		...(nextAllowedAt !== undefined && { nextAllowedAt }),
		...(isDryRun && {
			request: withoutResumeUrl({
				...{ method: 'POST', path: callPath(call) },
				body: JSON.parse(JSON.stringify(call.body)),
			}),
		}),
	};
}
