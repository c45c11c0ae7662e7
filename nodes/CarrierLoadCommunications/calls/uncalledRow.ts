import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { joinSentences, textOf } from '../../shared/errors/itemError';
import { ADDITIONAL } from '../../shared/fields/readCollection';
import { runsAsTool, showHint, type Parameters } from '../../shared/fields/parameters';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import { callPath } from '../../shared/service/callRequest';
import type { Placement, PlannedCall, Refusal } from './call';
import { CallProblem, shownError } from './callErrors';
import { placingOptions } from './options';
import { callRow } from './rows';

// The rows of items that get no call: a rule refuses it, or it is a dry run.

/** The row of a call that a rule refuses. @throws CallProblem if the rule makes the item fail */
export function refusedRow(context: IExecuteFunctions, call: PlannedCall, refusal: Refusal) {
	const { reason, advice, nextAllowedAt, skippedAs, inShort = reason } = refusal;
	const toDo = runsAsTool(context)
		? `Do not retry. A calling rule in this workflow blocked the call. For the workflow's owner: ${advice}`
		: advice;
	if (skippedAs !== undefined) {
		const result = skippedAs === 'dryRun' ? 'Dry run: would be called' : `Not called: ${inShort}`;
		const why = { result, placementReason: `${reason}. ${toDo}`, nextAllowedAt };
		return skippedRow(call, skippedAs, why);
	}
	const what = `The ${call.identity.what} was not placed: ${reason}`;
	throw new CallProblem(what, toDo, nextAllowedAt, inShort);
}

/** The row of an item whose call a rule skips. @param why in words for a column, and in a sentence */
function skippedRow(
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

/** The row in a dry run: "Dry run: would be skipped (called 2 minutes ago)". */
export function rehearsedRow(row: IDataObject): IDataObject {
	const result = String(row.result)
		.replace(/^Skipped: (.*)$/, 'Dry run: would be skipped ($1)')
		.replace(/^Not called: (.*)$/, 'Dry run: would not be called ($1)');
	return { ...row, result };
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

export const PAUSED =
	"A live run would call no one: the credential's Calls setting is Paused. When calls may be placed again, set it to Live.";

/** What stops a live run before its first call; a dry run goes on. */
export function nameRefusal(context: IExecuteFunctions, check: () => void): void {
	try {
		check();
	} catch (problem) {
		const message = `A live run would stop before its first call: ${textOf(problem)}`;
		showHint(context, 'warning', message);
	}
}
