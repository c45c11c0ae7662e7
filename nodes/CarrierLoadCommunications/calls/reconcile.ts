import { passingFailure } from '../../shared/service/failure';
import type { JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import type { KnownCall, PlannedCall } from './call';
import { firstFew, unknownOutcome } from './callErrors';
import { callIdOf } from './keys';
import {
	CLOCK_SKEW_MS,
	isInTime,
	loadText,
	matchListed,
	mayConcern,
	reconciledRow,
} from './listedCall';
import { Looks } from './looks';
import { hasId, otherCalls, type LookingRun } from './memory';

/** A list may take its end as exclusive, and its clock may be ahead (contract 4.9). */
const AHEAD_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Finds out from the service's call list whether an unconfirmed call was placed. Never dials.
 *
 * A listed call is this one if it went to the number, can be about the load, was created while the
 * request can have placed it, belongs to no other request, is the only such call, and can't come from
 * another unconfirmed request of this process.
 * @param why what happened, half a sentence for the user
 * @throws CallProblem if the list doesn't show exactly one such call
 */
export async function reconcile(run: LookingRun, call: PlannedCall, lost: KnownCall, why: string) {
	// Nothing more is listed of a request that was sent long ago.
	const deadline = Date.now() < lost.until ? Date.now() + run.lookForMs : 0;
	let afterMs = 0;
	for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
		const finding = await lookOnce(run, call, lost, afterMs);
		if ('found' in finding) {
			const reason = `${why}. The call list shows one call that matches this request.`;
			return run.memory.done(call, reconciledRow(call, finding.found, reason));
		}
		const { unknown: nothing, again } = finding;
		const left = deadline - Date.now();
		if (!again || left <= 0) throw unknownOutcome(call.identity.what, [why, nothing]);
		afterMs = Math.min(wait, left);
	}
}

/** The unconfirmed call, or why it isn't known; `again` if another look may find more. */
type Finding = { found: JsonObject } | { unknown: string; again: boolean };

async function lookOnce(
	{ client, signal }: LookingRun,
	call: PlannedCall,
	lost: KnownCall,
	afterMs: number,
): Promise<Finding> {
	const range = {
		from: lost.from - CLOCK_SKEW_MS,
		until: Math.min(Date.now() + afterMs + AHEAD_MS, lost.until + CLOCK_SKEW_MS),
	};
	const listed = new Map<string, JsonObject>();
	const visit = (each: JsonObject) => {
		if (matchListed(call, lost, each) !== 'other') {
			listed.set(callIdOf(each) ?? JSON.stringify(each), each);
		}
		return false;
	};
	try {
		const isComplete = await Looks.of(client).look(client, { range, visit, afterMs, signal });
		if (!isComplete) return unknown('could not be read to its end', true);
	} catch (error) {
		return unknown(`could not be read: ${passingFailure(error).message}`, true);
	}

	const others = otherCalls(call);
	const all = [...listed.values()];
	const free = all.filter((each) => !others.some((other) => hasId(other, callIdOf(each))));
	const [found, second] = free;
	if (found === undefined) {
		if (all.length > 0) {
			return unknown(`shows only calls placed by other requests (${idsOf(all)})`, false);
		}
		return unknown(`shows no such call since ${new Date(lost.from).toISOString()}`, true);
	}
	if (second) return unknown(`shows several calls that could be it (${idsOf(free)})`, false);
	if (matchListed(call, lost, found) === 'unclear') {
		const about =
			mayConcern(call.identity, found) === 'unclear'
				? `is about load ${loadText(found)}, which may be the same load written differently`
				: "its number, time or ID can't be read";
		return unknown(`shows a call that could be it (${idsOf(free)}), but ${about}`, true);
	}
	if (others.some((other) => isConcurrentRequest(other, found))) {
		return unknown(
			`shows one call (${idsOf(free)}), but another request to this number got no response either`,
			false,
		);
	}
	return { found };
}

/** Whether a listed call could also come from another request to the number, without a response. */
function isConcurrentRequest(other: KnownCall, each: JsonObject): boolean {
	if (other.row || !isInTime(timeOf(each)?.ms, other)) return false;
	return mayConcern(other, each) !== 'other';
}

function unknown(what: string, again: boolean): Finding {
	return { unknown: `The call list ${what}`, again };
}

function idsOf(calls: readonly JsonObject[]): string {
	const ids = calls.map((call) => callIdOf(call) ?? 'none');
	return `${calls.length === 1 ? 'ID' : 'IDs'} ${firstFew(ids, ', ')}`;
}
