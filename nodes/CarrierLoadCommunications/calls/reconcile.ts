import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../shared/service/client';
import { passingFailure } from '../../shared/service/failure';
import type { JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import type { KnownCall, PlannedCall } from './call';
import { unknownOutcome } from './callErrors';
import {
	callIdOf,
	CallList,
	CLOCK_SKEW_MS,
	isInTime,
	loadsOf,
	loadText,
	matchCall,
	matchLoad,
	mayConcern,
} from './callList';
import { hasId, otherCalls, type CallMemory } from './memory';
import { matchNumber, type Match } from './phone';
import { reconciledRow } from './rows';

/** A list may take its end as exclusive, and its clock may be ahead (contract 4.9). */
const AHEAD_MS = 60_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

interface LookingRun {
	client: ServiceClient;
	memory: CallMemory;
	/** How long to look for an unconfirmed call, in milliseconds. */
	lookForMs: number;
	signal: AbortSignal | undefined;
}

/**
 * Finds out from the service's call list whether an unconfirmed call was placed. Never dials.
 *
 * A listed call is this one if it went to the number, can be about the load, was created while the
 * request can have placed it, belongs to no other request, is the only such call, and can't come from
 * another unconfirmed request of this process.
 *
 * @param why what happened, half a sentence for the user
 * @throws CallProblem if the list doesn't show exactly one such call
 */
export async function reconcile(
	run: LookingRun,
	call: PlannedCall,
	lost: KnownCall,
	why: string,
): Promise<IDataObject> {
	// Nothing more is listed of a request that was sent long ago.
	const deadline = Date.now() < lost.until ? Date.now() + run.lookForMs : 0;
	let afterMs = 0;
	for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
		const look = await lookOnce(run, call, lost, afterMs);
		if ('found' in look) {
			const reason = `${why}. The call list shows one call that matches this request.`;
			return run.memory.done(call, reconciledRow(call, look.found, reason));
		}
		const left = deadline - Date.now();
		if (!look.again || left <= 0) throw unknownOutcome(call.identity.what, [why, look.unknown]);
		afterMs = Math.min(wait, left);
	}
}

/** The result of one look at the list: the unconfirmed call, or why it isn't known. */
type Look = { found: JsonObject } | Unknown;

interface Unknown {
	unknown: string;
	/** Whether another look may find more. */
	again: boolean;
}

async function lookOnce(
	run: LookingRun,
	call: PlannedCall,
	lost: KnownCall,
	afterMs: number,
): Promise<Look> {
	const list = await readList(run, call, lost, afterMs);
	if ('unknown' in list) return list;

	const others = otherCalls(call);
	const free = list.calls.filter((each) => !others.some((other) => hasId(other, callIdOf(each))));
	const [found, second] = free;
	if (found === undefined) {
		if (list.calls.length > 0) {
			return unknown(`only calls placed by other requests (${idsOf(list.calls)})`);
		}
		const since = new Date(lost.from).toISOString();
		return { ...unknown(`no such call since ${since}`), again: true };
	}
	if (second !== undefined) return unknown(`several calls that could be it (${idsOf(free)})`);
	if (matchOf(call, lost, found) === 'unclear') {
		const about =
			mayConcern(call.identity, found) === 'unclear'
				? `is about load ${loadText(found)}, which may be the same load written differently`
				: "its number, time or ID can't be read";
		const what = `a call that could be it (${idsOf(free)}), but ${about}`;
		return { ...unknown(what), again: true };
	}
	if (others.some((other) => isConcurrentRequest(other, found))) {
		return unknown(
			`one call (${idsOf(free)}), but another request to this number got no response either`,
		);
	}
	return { found };
}

/** Calls that the request can have placed, if the list can be read to its end. */
async function readList(
	{ client, signal }: LookingRun,
	call: PlannedCall,
	lost: KnownCall,
	afterMs: number,
): Promise<{ calls: JsonObject[] } | Unknown> {
	const range = {
		from: lost.from - CLOCK_SKEW_MS,
		until: Math.min(Date.now() + afterMs + AHEAD_MS, lost.until + CLOCK_SKEW_MS),
	};
	const calls = new Map<string, JsonObject>();
	try {
		const visit = (each: JsonObject) => {
			if (matchOf(call, lost, each) === 'other') return;
			calls.set(callIdOf(each) ?? JSON.stringify(each), each);
		};
		const complete = await CallList.of(client).look(client, { range, visit, afterMs, signal });
		if (complete) return { calls: [...calls.values()] };
		return { unknown: 'The call list could not be read to its end', again: true };
	} catch (error) {
		const { message } = passingFailure(error);
		return { unknown: `The call list could not be read: ${message}`, again: true };
	}
}

function matchOf({ toPhone, identity }: PlannedCall, lost: KnownCall, each: JsonObject): Match {
	const { load } = identity;
	const about = mayConcern(identity, each);
	if (about === 'other') return 'other';
	// A listed call without a number counts only if it names the load.
	const namesLoad = load !== undefined && matchLoad(load, loadsOf(each)) === 'same';
	if (matchNumber(toPhone, each.toPhone) === 'unclear' && !namesLoad) return 'other';
	const range = { from: lost.from - CLOCK_SKEW_MS, until: lost.until + CLOCK_SKEW_MS };
	const match = matchCall(toPhone, range, each);
	return match === 'same' ? about : match;
}

/** Whether a listed call could also come from another request to the number, without a response. */
function isConcurrentRequest(other: KnownCall, each: JsonObject): boolean {
	if (other.state !== 'dialing' || !isInTime(timeOf(each)?.ms, other)) return false;
	return mayConcern(other, each) !== 'other';
}

function unknown(what: string): Unknown {
	return { unknown: `The call list shows ${what}`, again: false };
}

function idsOf(calls: readonly JsonObject[]): string {
	const ids = calls.map((call) => callIdOf(call) ?? 'none');
	const shown = ids.length > 10 ? [...ids.slice(0, 10), `and ${ids.length - 10} more`] : ids;
	return calls.length === 1 ? `ID ${shown.join()}` : `IDs ${shown.join(', ')}`;
}
