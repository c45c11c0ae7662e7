import type { JsonObject } from '../../../shared/service/http/json';
import { timeOf } from '../../../shared/service/recordTime';
import { callIdOf, isInTime, mayConcern } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { isSkipped, processCalls, type KnownCall } from './knownCalls';

// What this n8n process knows of the other calls to a call's number.

/** Those that the duplicate guard takes for the same call. */
export function similarCalls(call: PlannedCall): KnownCall[] {
	return otherCalls(call).filter(({ target }) => target === call.known.target);
}

/** Whether one of them has this listed call. */
export function isOfAnother(call: PlannedCall, listed: JsonObject): boolean {
	const id = callIdOf(listed);
	return otherCalls(call).some((other) => hasId(other, id));
}

/** Whether a listed call was placed with this credential: then `similarCalls` knows about it. */
export function isComparable(call: PlannedCall, listed: JsonObject): boolean {
	const id = callIdOf(listed);
	return otherCalls(call).some((other) => other.account === call.known.account && hasId(other, id));
}

/** The same for a call to any number: whether it was placed for another request. */
export function isOfAnyOther({ known }: PlannedCall, listed: JsonObject): boolean {
	const id = callIdOf(listed);
	return processCalls
		.all()
		.some(
			(other) =>
				hasId(other, id) &&
				other.key !== known.key &&
				other.account === known.account &&
				!isSkipped(other),
		);
}

/** Whether one of them is unconfirmed, and this listed call could also be that one. */
export function isDisputed(call: PlannedCall, listed: JsonObject): boolean {
	return otherCalls(call).some(
		(other) =>
			other.state === 'dialing' &&
			isInTime(timeOf(listed)?.ms, other) &&
			mayConcern(other.load, listed),
	);
}

function otherCalls({ known }: PlannedCall): KnownCall[] {
	return processCalls
		.onLine(known.line)
		.filter((other) => other.key !== known.key && !isSkipped(other));
}

function hasId({ row }: KnownCall, id: string | undefined): boolean {
	return row !== undefined && String(row.callId).trim() === id;
}
