import type { IDataObject } from 'n8n-workflow';

import type { ShapeRow } from '../../shared/columns/columns';
import { RESUME_URL_KEY } from '../../shared/events/resumeUrl';
import type { Parameters } from '../../shared/fields/parameters';
import { outcomeRecord } from '../../shared/outcome/outcomeRecord';
import type { JsonObject } from '../../shared/service/json';
import { shapeFor, type Output } from '../fields/readOutput';
import type { CallDetails, Placement } from './call';
import { callOutput, CALL_FIELDS, FIRST, NOT_KEPT, OUTCOME_COLUMNS } from './callFields';

export interface CallOutput extends Output {
	input: IDataObject;
}

export function readCallOutput(parameters: Parameters): CallOutput {
	const { inputItem, forAgent, timezone } = parameters;
	const chosen = callOutput.output.read(parameters, 'output');
	const isKept = !forAgent && callOutput.includeInputFields.read(parameters, 'includeInputFields');
	const input = isKept ? inputItem : {};
	return { ...chosen, input, shape: shapeCall({ ...chosen, input }, timezone, forAgent) };
}

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

/** A call from the response to its request (contract 2.4), with the whole response. */
export function placedRow(call: CallDetails, placed: JsonObject, answer: JsonObject): IDataObject {
	const { intendedPhone: own, testedBy } = call;
	const reason = own && `The test number was called instead of ${own} (${testedBy})`;
	return { ...callRow(call, placed, 'placed', reason), answer };
}

/** An item's row. @param shown what the service shows of the call (contract 2.4), if there is one */
export function callRow(
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
