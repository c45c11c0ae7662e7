import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { joinSentences, textOf } from '../../shared/errors/itemError';
import { ADDITIONAL } from '../../shared/fields/collection';
import type { Parameters } from '../../shared/fields/parameters';
import type { Placement, PlannedCall } from './call';
import { CallProblem, shownError } from './callErrors';
import { placingOptions } from './options';
import { skippedRow } from './rows';

/** The row of an item that a dry run found to fail. */
export function failingRow(context: IExecuteFunctions, call: PlannedCall, problem: unknown) {
	const { what, itemIndex } = call.identity;
	const placementReason = reasonOf(context, problem, what, itemIndex);
	const why = { result: inWords(problem), placementReason, nextAllowedAt: timeIn(problem) };
	return skippedRow(call, 'wouldFail', why);
}

/** The same for an item that can't be planned: its fields are shown as given. @param kind of call, in words */
export function unplannedRow(
	context: IExecuteFunctions,
	parameters: Parameters,
	problem: unknown,
	kind: string,
): IDataObject {
	const placement: Placement = 'wouldFail';
	const placementReason = reasonOf(context, problem, kind, parameters.itemIndex);
	const names = ['toPhone', 'loadNumber', 'loadId', 'dotNumber', 'agentId'];
	const read = (name: string) => ifReadable(() => parameters.raw(name));
	const given = {
		...Object.fromEntries(names.map((name) => [name, read(name)])),
		contact: read(`${ADDITIONAL}.contactName`) ?? read('driverName'),
		nextAllowedAt: timeIn(problem),
	};
	const filled = Object.entries(given).filter(([, value]) => value !== undefined);
	const shown = Object.fromEntries(filled);
	return { ...shown, callId: null, result: inWords(problem), placement, placementReason };
}

/** When a rule first allows the call. */
function timeIn(problem: unknown): string | undefined {
	return problem instanceof CallProblem ? problem.nextAllowedAt : undefined;
}

function inWords(problem: unknown): string {
	const reason = problem instanceof CallProblem ? problem.inShort : textOf(problem);
	// A reason may quote a value in parentheses.
	return `Dry run: would fail (${reason.replace(/ \(([^()]*)\)/g, ': $1')})`;
}

/** What a field gives, which may itself be what fails. */
export function ifReadable<Value>(read: () => Value): Value | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** Why, and what to do: what "nothing was sent" would add, the row says already. */
function reasonOf(context: IExecuteFunctions, problem: unknown, what: string, itemIndex: number) {
	const options = Object.keys(placingOptions);
	const shown = shownError(context, problem, { itemIndex, what, options, ring: 'no' });
	const reason = problem instanceof CallProblem ? problem.inShort : shown.message;
	const advice = shown.description?.replace(' Nothing was sent for this item.', '');
	return joinSentences([reason.charAt(0).toUpperCase() + reason.slice(1), advice]);
}
