import type { IExecuteFunctions } from 'n8n-workflow';

import {
	joinSentences,
	errorForAgent,
	isNodeError,
	itemError,
	operationError,
	textOf,
} from '../../shared/errors/itemError';
import type { Attempted } from '../../shared/errors/itemError';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import { isStop } from '../../shared/service/failure';
import type { CallIdentity, Ring } from './call';

/** Why an item has no call, and what to do now. */
export class CallProblem extends Error {
	/** @param nextAllowedAt when a rule first allows the call (ISO 8601, UTC) @param inShort the reason alone */
	constructor(
		what: string,
		readonly advice: string,
		readonly nextAllowedAt?: string,
		readonly inShort = what,
	) {
		super(what);
		this.name = 'CallProblem';
	}
}

/** It can't be found out whether the call was placed. @param why what happened, and what the search for it found */
export function unknownOutcome(call: string, why: string[]): CallProblem {
	const advice =
		'Look in Call > Get Many, or ask the person called: if there was no call, run this item in a new execution. It was not placed again, and neither Retry On Fail nor Retry Execution places it';
	const what = `The ${call} may or may not have been placed`;
	return new CallProblem(what, [advice, ...why].join('. '));
}

export interface FailedCall extends Omit<Attempted, 'title'> {
	what: string;
	ring: Ring;
	/** All calls of the run, if the failure stops the node. */
	calls?: readonly RunCall[];
}

export interface RunCall extends Pick<CallIdentity, 'what' | 'itemIndex'> {
	ring: Ring;
	callId?: unknown;
	/** Whether the run stopped before this call. */
	isOpen?: boolean;
}

/** The error that n8n shows for an item without a call: whether a phone rang, why, and what to do. */
export function callError(context: IExecuteFunctions, error: unknown, failed: FailedCall) {
	const shown = shownError(context, error, failed);
	// The service may repeat the request's metadata, with the resume URL.
	shown.message = withoutResumeUrl(`${opening(failed)} ${shown.message}`);
	const description = joinSentences([shown.description ?? '', ...summarizeRun(failed)]);
	shown.description = withoutResumeUrl(description);
	return errorForAgent(shown);
}

const RINGS: Record<Ring, string> = {
	no: 'No phone rang.',
	maybe: 'The phone may have rung.',
	yes: 'The call was placed.',
};

/** "The call was placed. 3 calls were placed before this failed:" */
function opening({ ring, calls }: FailedCall): string {
	const placed = withRing(calls, 'yes').length;
	const unknown = withRing(calls, 'maybe').length;
	if (ring !== 'no' || placed + unknown === 0) return RINGS[ring];
	const counts = [
		placed > 0 && (placed === 1 ? '1 call was placed' : `${placed} calls were placed`),
		unknown > 0 && `${unknown} ${unknown === 1 ? 'call' : 'calls'} may have been placed`,
	].filter(Boolean);
	return `${RINGS[placed > 0 ? 'yes' : 'maybe']} ${counts.join(' and ')} before this failed:`;
}

/** The same without what happened to calls. */
export function shownError(context: IExecuteFunctions, error: unknown, attempted: FailedCall) {
	const node = context.getNode();
	const { itemIndex, what, ring } = attempted;
	const words = (message: string, description: string) =>
		operationError(node, itemIndex, message, description);
	// An error thrown by n8n may be shown for several items.
	if (isNodeError(error)) return words(error.message, error.description ?? '');
	if (error instanceof CallProblem) {
		const shown = words(error.message, error.advice);
		if (error.nextAllowedAt !== undefined) shown.context.nextAllowedAt = error.nextAllowedAt;
		return shown;
	}
	if (isStop(error)) return words(textOf(error), adviceOfStop(attempted));
	const titles: Record<Ring, string> = {
		no: `The ${what} was not placed`,
		maybe: `The ${what} may or may not have been placed`,
		yes: `Couldn't get the outcome of the ${what}`,
	};
	return itemError(node, error, { ...attempted, title: titles[ring] });
}

/** What Stop leaves behind: it ends no call. */
function adviceOfStop({ ring, calls }: FailedCall): string {
	if (ring === 'maybe') {
		return 'The request was already sent: look in Call > Get Many to see whether the call was placed';
	}
	if (ring === 'no' && withRing(calls, 'yes').length === 0) return '';
	return "A placed call may still be in progress: stopping the execution doesn't end it. Look in Call > Get Many for its outcome";
}

function withRing(calls: readonly RunCall[] = [], ring: Ring): RunCall[] {
	return calls.filter((call) => call.ring === ring);
}

const ABOUT_RETRIES =
	'Retry On Fail and Retry Execution place only what is missing. A new execution places all of them again unless Skip If Called Within covers the time since';

/** What was placed, may have been placed, and was not tried; empty if certainly no phone rang. */
function summarizeRun({ calls = [] }: FailedCall): string[] {
	const placed = withRing(calls, 'yes').map(({ callId }) => String(callId));
	const unknown = withRing(calls, 'maybe').map((call) => `row ${call.itemIndex + 1}, ${call.what}`);
	const open = withRing(calls, 'no').filter(({ isOpen }) => isOpen);
	if (placed.length + unknown.length === 0) return [];
	const sentences = [
		placed.length > 0 &&
			`Placed before the node stopped: ${placed.length} (call IDs ${firstFew(placed, ', ')})`,
		unknown.length > 0 && `May or may not have been placed: ${firstFew(unknown, '; ')}`,
		open.length > 0 && `Not tried: ${rowsOf(open)}`,
		// The error of a lost call says what to do about it.
		(calls.length > 1 || placed.length > 0) && ABOUT_RETRIES,
	];
	return sentences.filter((sentence) => sentence !== false);
}

const MAX_NAMED = 10;

/** The first of them, and how many more there are. */
export function firstFew(texts: readonly string[], separator: string, most = MAX_NAMED): string {
	const more = texts.length > most ? [`and ${texts.length - most} more`] : [];
	return [...texts.slice(0, most), ...more].join(separator);
}

/** "rows 4 to 8", counted from 1 as the editor shows them. */
export function rowsOf(calls: ReadonlyArray<Pick<RunCall, 'itemIndex'>>): string {
	const rows = calls.map(({ itemIndex }) => itemIndex + 1);
	const [first = 0, last = 0] = [rows[0], rows.at(-1)];
	if (rows.length === 1) return `row ${first}`;
	if (rows.length === 2) return `rows ${first} and ${last}`;
	const areInARow = last - first === rows.length - 1;
	return `rows ${areInARow ? `${first} to ${last}` : firstFew(rows.map(String), ', ')}`;
}
