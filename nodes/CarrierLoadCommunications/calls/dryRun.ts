import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { joinSentences, textOf } from '../../shared/errors/itemError';
import type { Parameters } from '../../shared/fields/parameters';
import { ServiceFailure } from '../../shared/service/failure';
import type { Placement, PlannedCall } from './call';
import { CallProblem, shownError } from './callErrors';
import { placingOptions } from './options';
import { skippedRow } from './rows';

/** A dry run ends only when someone stops it: what else fails becomes a row. */
export function isStop(problem: unknown): boolean {
	return problem instanceof ServiceFailure && problem.details.kind === 'cancelled';
}

/** The row of an item that a dry run found to fail. */
export function failingRow(
	context: IExecuteFunctions,
	call: PlannedCall,
	problem: unknown,
): IDataObject {
	const { what, itemIndex } = call.identity;
	const nextAllowedAt = problem instanceof CallProblem ? problem.nextAllowedAt : undefined;
	const placementReason = reasonOf(context, problem, what, itemIndex);
	const skip = { result: inWords(problem), placementReason, nextAllowedAt };
	return skippedRow(call, 'wouldFail', skip, false);
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
	const given = SHOWN.flatMap((name) => {
		const value = ifReadable(() => parameters.raw(name));
		return value === undefined ? [] : [[name, value]];
	});
	const said = { callId: null, result: inWords(problem), placement, placementReason };
	return { ...Object.fromEntries(given), ...said };
}

function inWords(problem: unknown): string {
	return `Dry run: would fail (${textOf(problem)})`;
}

const SHOWN = ['toPhone', 'loadNumber', 'loadId', 'dotNumber', 'agentId'];

/** What a field gives, which may itself be what fails. */
export function ifReadable<Value>(read: () => Value): Value | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

function reasonOf(
	context: IExecuteFunctions,
	problem: unknown,
	what: string,
	itemIndex: number,
): string {
	const options = Object.keys(placingOptions);
	const shown = shownError(context, problem, { itemIndex, what, options, ring: 'no' });
	return joinSentences([shown.message, shown.description ?? '']);
}
