import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../../shared/service/http/cancellation';
import { passingFailure } from '../../../shared/service/http/failure';
import type { JsonObject } from '../../../shared/service/http/json';
import type { CallRun } from '../dial/callRun';
import type { KnownCall } from '../memory/knownCalls';
import { isDisputed, isOfAnother } from '../memory/otherCalls';
import { unknownOutcome } from '../output/callErrors';
import { foundRow } from '../output/callRow';
import { callIdOf, CLOCK_SKEW_MS, isAbout, matchCall, mayConcern } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { matchNumber, type Match } from '../plan/sameNumber';
import { listCalls } from './listCalls';

/** A list may take its end as exclusive, and its clock may be ahead (contract 4.9). */
const AHEAD_MS = 60_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** The result of one look at the list: the unconfirmed call, or why it isn't known. */
type Look = { found: JsonObject } | Unknown;

interface Unknown {
	unknown: string;
	/** Whether another look may find more. */
	again: boolean;
}

/**
 * Finds out from the service's call list whether an unconfirmed call was placed. Never dials.
 *
 * A listed call is this one if it went to the number, can be about the load, was created while the
 * request can have placed it, belongs to no other request, is the only such call, and can't come from
 * another unconfirmed request.
 *
 * @param why what happened, half a sentence for the user
 * @throws CallProblem if the list doesn't show exactly one such call
 */
export async function reconcile(
	run: CallRun,
	call: PlannedCall,
	lost: KnownCall,
	why: string,
): Promise<IDataObject> {
	const deadline = Date.now() + run.lookForMs;
	for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
		const look = await lookOnce(run, call, lost);
		if ('found' in look) {
			const reason = `${why}. The call list shows this one call that the request can have placed.`;
			return run.registry.done(call, foundRow(call, look.found, 'reconciled', reason));
		}
		const left = deadline - Date.now();
		if (!look.again || left <= 0) throw unknownOutcome(call.known.what, [why, look.unknown]);
		await pause(Math.min(wait, left), run.signal);
	}
}

async function lookOnce(run: CallRun, call: PlannedCall, lost: KnownCall): Promise<Look> {
	const { registry } = run;
	const list = await readList(run, call, lost);
	if ('unknown' in list) return list;
	if (lost.interrupted) return await ownCall(run, call, list.calls);

	const free = list.calls.filter((listed) => !isOfAnother(call, listed));
	const [found, second] = free;
	if (found === undefined) {
		if (list.calls.length > 0)
			return unknown(`only calls of other requests (${idsOf(list.calls)})`);
		const since = new Date(lost.from).toISOString();
		return { ...unknown(`no such call since ${since}`), again: true };
	}
	if (second !== undefined) return unknown(`several calls that could be it (${idsOf(free)})`);
	if (matchOf(call, lost, found) === 'unclear') {
		const what = `a call that could be it (${idsOf(free)}), but its number, time or ID can't be read`;
		return { ...unknown(what), again: true };
	}
	if (isDisputed(call, found)) {
		return unknown(
			`one call (${idsOf(free)}), but another request to this number got no answer either`,
		);
	}
	if (await registry.claim(call, found)) return { found };
	return unknown(`only calls of other requests (${idsOf(free)})`);
}

/** Calls that the request can have placed, if the list can be read to its end. */
async function readList(
	run: CallRun,
	call: PlannedCall,
	lost: KnownCall,
): Promise<{ calls: JsonObject[] } | Unknown> {
	const range = {
		from: lost.from - CLOCK_SKEW_MS,
		until: Math.min(Date.now() + AHEAD_MS, lost.until + CLOCK_SKEW_MS),
	};
	const isPossible = (listed: JsonObject) => matchOf(call, lost, listed) !== 'other';
	try {
		const { calls, complete } = await listCalls(run.client, range, isPossible);
		if (complete) return { calls };
		return { unknown: 'The call list could not be read to its end', again: true };
	} catch (error) {
		const { message } = passingFailure(error);
		return { unknown: `The call list could not be read: ${message}`, again: true };
	}
}

function matchOf({ toPhone, known }: PlannedCall, lost: KnownCall, listed: JsonObject): Match {
	const { load } = known;
	if (!mayConcern(load, listed)) return 'other';
	// A listed call without a number counts only if it names the load.
	const number = matchNumber(toPhone, listed.toPhone);
	if (number === 'unclear' && (load === undefined || !isAbout(load, listed))) return 'other';
	const range = { from: lost.from - CLOCK_SKEW_MS, until: lost.until + CLOCK_SKEW_MS };
	return matchCall(toPhone, range, listed);
}

/** It isn't known when it was dialed, so only a listed call that was noted as its own can be it. */
async function ownCall(
	{ registry }: CallRun,
	call: PlannedCall,
	listed: JsonObject[],
): Promise<Look> {
	const [own] = await registry.ownAmong(call, listed);
	if (own) return { found: own };
	if (listed.length === 0) return unknown('no such call');
	return unknown(`calls to this number (${idsOf(listed)}), but none is known to be this one`);
}

function unknown(what: string): Unknown {
	return { unknown: `The call list shows ${what}`, again: false };
}

function idsOf(calls: readonly JsonObject[]): string {
	const ids = calls.map((call) => callIdOf(call) ?? 'none').join(', ');
	return calls.length === 1 ? `ID ${ids}` : `IDs ${ids}`;
}
