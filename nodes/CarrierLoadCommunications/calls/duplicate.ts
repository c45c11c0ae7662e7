import type { IDataObject } from 'n8n-workflow';

import { endWord } from '../../shared/outcome/callOutcome';
import { loadKey, loadsIn } from '../../shared/service/loads';
import type { PlannedCall, KnownCall, Placement } from './call';
import { CallProblem } from './callErrors';
import { loadCallKey } from './keys';
import { matchLoad, loadText, statusOf, type RecentCall } from './listedCall';
import { isSkipped } from './memory';

export function notPlaced(call: PlannedCall, why: string): CallProblem {
	return new CallProblem(`The ${call.identity.what} was not placed`, why);
}

/** Whether a call is the same if its load is only written differently. */
export function isOtherSpelling(call: PlannedCall, { load, duplicateKey }: KnownCall): boolean {
	const { account, load: own } = call.identity;
	if (load === undefined || own === undefined) return false;
	return (
		matchLoad(own, [loadKey(load)]) === 'unclear' &&
		duplicateKey === loadCallKey(account, call, load)
	);
}

export function mayBeSame({ intendedPhone }: PlannedCall, load: string, listed: RecentCall) {
	const id = `(ID ${listed.id ?? 'none'})`;
	const what =
		matchLoad(load, loadsIn(listed.loadIds)) === 'unclear'
			? `to this number about load ${loadText(listed)} ${id}, which may be load ${load} written differently`
			: intendedPhone === undefined
				? `about this load ${id} whose number, time or ID can't be read`
				: `about this load ${id} and the list does not say for whom the test number was called`;
	return `The call list shows a call ${what}, so it may be the same call. ${IF_NOT}`;
}

const IF_NOT =
	'Look it up in Call > Get Many: if it is another call, set Skip If Called Within to 0 and run this item again';

export function mayBeKnown({ identity }: PlannedCall, { load, from, row }: KnownCall): string {
	const id = row === undefined ? 'it may have been placed' : `ID ${String(row.callId)}`;
	return `A call to this number about load ${load} (${id}) was requested ${ago(from)}. That may be load ${identity.load} written differently. ${IF_NOT}`;
}

export function whyUnanswered(
	{ identity }: PlannedCall,
	{ from, why = 'The request got no response' }: KnownCall,
	unread: string | undefined,
): string {
	const list =
		unread === undefined
			? `The call list ${identity.load === undefined ? "can't tell" : 'does not show it'}`
			: `The call list could not be read: ${unread}`;
	return `Look in Call > Get Many or ask the person called: if there was no call, set Skip If Called Within to 0 and run this item again. The same call was requested ${ago(from)} and may have been placed. ${why}. ${list}`;
}

export function rowOfKnown(call: PlannedCall, known: KnownCall, withinMs: number): IDataObject {
	const { row, from, execution, run } = known;
	const { identity } = call;
	const isLoop = execution === identity.execution && run !== identity.run;
	const redial = isLoop
		? ' This execution placed it in an earlier step. To call again, raise Wait at Most or lower Skip If Called Within.'
		: '';
	const about = aboutStop(call, known) + redial;
	return { ...row, ...skipOf(row?.callId, from, withinMs, about) };
}

/** A call about another stop is a duplicate all the same: " It was about stop 0." */
function aboutStop({ identity }: PlannedCall, { nextStopIndex: stop }: KnownCall): string {
	return stop === identity.nextStopIndex ? '' : ` It was about stop ${stop ?? 'unknown'}.`;
}

/** The list doesn't say what the call was about besides the load, and nothing is made up here. */
export function rowOfListed(call: PlannedCall, listed: RecentCall, withinMs: number): IDataObject {
	const { dotNumber, nextStopIndex } = call.identity;
	const isSure = nextStopIndex === undefined && dotNumber === listed.dotNumber;
	const what = nextStopIndex === undefined ? 'carrier' : 'stop, or whether it was a check call';
	const about = isSure ? '' : ` The list does not say about which ${what}.`;
	const row = {
		callId: listed.callId ?? null,
		conversationId: null,
		status: statusOf(listed.status, listed.isEnded),
		...skipOf(listed.id, listed.placedAt ?? Date.now(), withinMs, about),
		toPhone: String(listed.toPhone),
		createdAt: String(listed.createdAt),
		loadNumber: loadText(listed),
		...(listed.dotNumber !== undefined && { dotNumber: listed.dotNumber }),
		...(listed.contentTags !== '' && { contentTags: listed.contentTags }),
	};
	return { ...row, ...reasonWithEnd(row, endWord(listed)) };
}

/** "Call 5012 to this number was placed 3 minutes ago (Skip If Called Within is 10 minutes)." */
function skipOf(callId: unknown, placedAt: number, withinMs: number, about: string) {
	return {
		placement: 'skippedDuplicate' satisfies Placement,
		placementReason: `Call ${String(callId)} to this number was placed ${ago(placedAt)} (Skip If Called Within is ${minutes(withinMs)}).${about}`,
		result: `Skipped: called ${ago(placedAt)}`,
	};
}

function ago(time: number): string {
	return `${minutes(Date.now() - time)} ago`;
}

function minutes(ms: number): string {
	const count = Math.round(ms / 60_000);
	// Also if the service's clock is ahead.
	if (count < 1) return 'less than a minute';
	return count === 1 ? '1 minute' : `${count} minutes`;
}

/** Adds to the reason of a skipped call how the earlier one ended: it may have reached no one. */
export function reasonWithEnd(row: IDataObject, end: string | undefined): IDataObject {
	const placementReason = String(row.placementReason);
	const sentence = ` The earlier call ended: ${end}.`;
	const isSaid = end === undefined || placementReason.includes(sentence);
	if (row.placement !== 'skippedDuplicate' || isSaid) return {};
	return { placementReason: placementReason + sentence };
}

/** An agent's model doesn't retry but requests a new call, so its answer says that no phone rang. */
export function askedAgain(call: PlannedCall, known: KnownCall): IDataObject {
	if (isSkipped(known.row)) return { ...known.row };
	return {
		...known.row,
		placement: 'skippedDuplicate' satisfies Placement,
		placementReason: `The AI agent already made this call in this turn.${aboutStop(call, known)}`,
		result: 'Skipped: already called in this turn',
	};
}
