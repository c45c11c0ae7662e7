import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import {
	joinSentences,
	errorForAgent,
	isNodeError,
	itemError,
	operationError,
	type Attempted,
} from '../../shared/errors/itemError';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import { ServiceFailure } from '../../shared/service/failure';
import type { Ring } from './call';

/** Why an item has no call, and what to do now. */
export class CallProblem extends Error {
	/** @param nextAllowedAt when a calling rule first allows the call (ISO 8601, UTC) */
	constructor(
		what: string,
		readonly advice: string,
		readonly nextAllowedAt?: string,
	) {
		super(what);
		this.name = 'CallProblem';
	}
}

/**
 * It can't be found out whether the call was placed. It is never placed again automatically.
 *
 * @param call in words ("check call to (312) 555-0188 (load 48213)")
 * @param why sentences: what happened, and what the search for it found
 */
export function unknownOutcome(call: string, why: string[]): CallProblem {
	const advice = [
		'Look in Call > Get Many, or ask the person called: if there was no call, run this item in a new execution',
		'It was not placed again, and neither Retry On Fail nor Retry Execution places it',
		...why,
	].join('. ');
	return new CallProblem(`The ${call} may or may not have been placed`, advice);
}

const RINGS: Record<Ring, string> = {
	no: 'No phone rang.',
	maybe: 'The phone may have rung.',
	yes: 'The call was placed.',
};

export interface FailedCall extends Omit<Attempted, 'title'> {
	/** "check call to (312) 555-0188 (load 48213)" */
	what: string;
	ring: Ring;
	/** All calls of the run, if the failure stops the node. */
	calls?: readonly RunCall[];
}

/** The error that n8n shows for an item without a call: whether a phone rang, why, and what to do. */
export function callError(
	context: IExecuteFunctions,
	error: unknown,
	failed: FailedCall,
): NodeApiError | NodeOperationError {
	const { ring, calls = [] } = failed;
	const shown = shownError(context, error, failed);
	// The service may repeat the request's metadata, with the resume URL.
	shown.message = withoutResumeUrl(`${opening(ring, calls)} ${shown.message}`);
	const description = joinSentences([shown.description ?? '', ...summarizeRun(calls)]);
	shown.description = withoutResumeUrl(description);
	return errorForAgent(shown);
}

/** "The call was placed. 3 calls were placed before this failed:" */
function opening(ring: Ring, calls: readonly RunCall[]): string {
	const placed = withRing(calls, 'yes').length;
	const unknown = withRing(calls, 'maybe').length;
	if (ring !== 'no' || placed + unknown === 0) return RINGS[ring];
	const counts = [
		...(placed > 0 ? [placed === 1 ? '1 call was placed' : `${placed} calls were placed`] : []),
		...(unknown > 0 ? [`${unknown} ${unknown === 1 ? 'call' : 'calls'} may have been placed`] : []),
	];
	return `${RINGS[placed > 0 ? 'yes' : 'maybe']} ${counts.join(' and ')} before this failed:`;
}

/** The same without what happened to calls. */
export function shownError(
	context: IExecuteFunctions,
	error: unknown,
	attempted: FailedCall,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const { itemIndex } = attempted;
	const words = (message: string, description: string) =>
		operationError(node, itemIndex, message, description);
	// An error thrown by n8n may be shown for several items.
	if (isNodeError(error)) return words(error.message, error.description ?? '');
	if (error instanceof CallProblem) {
		const shown = words(error.message, error.advice);
		if (error.nextAllowedAt !== undefined) shown.context.nextAllowedAt = error.nextAllowedAt;
		return shown;
	}
	if (error instanceof ServiceFailure && error.details.kind === 'cancelled') {
		return words(error.message, adviceOfStop(attempted));
	}
	return itemError(node, error, { ...attempted, title: titleOf(attempted) });
}

/** What Stop leaves behind: it ends no call. */
function adviceOfStop({ ring, calls = [] }: FailedCall): string {
	if (ring === 'maybe') {
		return 'The request was already sent: look in Call > Get Many to see whether the call was placed';
	}
	const placed = Math.max(withRing(calls, 'yes').length, ring === 'yes' ? 1 : 0);
	if (placed === 0) return '';
	return placed === 1
		? "The call may still be in progress: stopping the execution doesn't end it. Look in Call > Get Many for its outcome"
		: `The ${placed} calls may still be in progress: stopping the execution doesn't end them. Look in Call > Get Many for their outcomes`;
}

/** What the service's failure meant for the call. */
function titleOf({ what, ring }: FailedCall): string {
	if (ring === 'yes') return `Couldn't get the outcome of the ${what}`;
	return `The ${what} ${ring === 'no' ? 'was not' : 'may or may not have been'} placed`;
}

const MAX_IDS = 10;

const ABOUT_RETRIES =
	'Retry On Fail and Retry Execution place only what is missing. A new execution places all of them again unless Skip If Called Within covers the time since';

/** What happened to one call of a run. */
export interface RunCall {
	/** "check call to (312) 555-0188 (load 48213)" */
	what: string;
	itemIndex: number;
	ring: Ring;
	callId?: unknown;
	/** Whether the run stopped before this call. */
	isOpen?: boolean;
}

/** Those of the calls for which a phone rang, may have rung, or didn't. */
function withRing(calls: readonly RunCall[], ring: Ring): RunCall[] {
	return calls.filter((call) => call.ring === ring);
}

/**
 * What happened to a run's calls when an error stops the node: what was placed, what may have been
 * placed, and what was not tried. Empty if certainly no phone rang.
 */
function summarizeRun(calls: readonly RunCall[]): string[] {
	const placed = withRing(calls, 'yes');
	const unknown = withRing(calls, 'maybe');
	const open = withRing(calls, 'no').filter(({ isOpen }) => isOpen);
	if (placed.length + unknown.length === 0) return [];
	const ids = placed.slice(0, MAX_IDS).map(({ callId }) => String(callId));
	if (placed.length > MAX_IDS) ids.push(`and ${placed.length - MAX_IDS} more`);
	const lost = unknown
		.slice(0, MAX_IDS)
		.map(({ itemIndex, what }) => `row ${itemIndex + 1}, ${what}`);
	if (unknown.length > MAX_IDS) lost.push(`and ${unknown.length - MAX_IDS} more`);
	return [
		...(placed.length > 0
			? [`Placed before the node stopped: ${placed.length} (call IDs ${ids.join(', ')})`]
			: []),
		...(unknown.length > 0 ? [`May or may not have been placed: ${lost.join('; ')}`] : []),
		...(open.length > 0 ? [`Not tried: ${rowRanges(open.map(({ itemIndex }) => itemIndex))}`] : []),
		// The error of a lost call says what to do about it.
		...(calls.length === 1 && placed.length === 0 ? [] : [ABOUT_RETRIES]),
	];
}

/** "rows 4 to 8, 10", counted from 1 as the editor shows them. */
function rowRanges(indexes: readonly number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = ranges.at(-1);
		if (last?.[1] === index - 1) last[1] = index;
		else ranges.push([index, index]);
	}
	const texts = ranges.map(([first, last]) =>
		first === last ? String(first + 1) : `${first + 1} to ${last + 1}`,
	);
	return `${indexes.length === 1 ? 'row' : 'rows'} ${texts.join(', ')}`;
}
