import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../../shared/service/http/json';
import { callIdOf, createdAtOf, isInTime, mayConcern } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { isSkipped, processCalls, type KnownCall } from './knownCalls';

// What this n8n process knows of the other calls to a call's number.

/** Those that the duplicate guard takes for the same call. */
export function similarCalls(call: PlannedCall): KnownCall[] {
	return otherCalls(call).filter(({ target }) => target === call.known.target);
}

/** Whether one of them has this listed call. */
export function isOfAnother(call: PlannedCall, listed: JsonObject): boolean {
	return otherCalls(call).some(({ row }) => hasCallOf(row, listed));
}

/** Whether a listed call was placed with this credential: then `similarCalls` knows about it. */
export function isComparable(call: PlannedCall, listed: JsonObject): boolean {
	return otherCalls(call).some(
		({ account, row }) => account === call.known.account && hasCallOf(row, listed),
	);
}

/** The same for a listed call to any number. */
export function isOwnAnywhere(call: PlannedCall, listed: JsonObject): boolean {
	return processCalls
		.all()
		.some(
			(other) =>
				!isSkipped(other) && other.account === call.known.account && hasCallOf(other.row, listed),
		);
}

/** Whether one of them is unconfirmed, and this listed call could also be that one. */
export function isDisputed(call: PlannedCall, listed: JsonObject): boolean {
	return otherCalls(call).some(
		(other) =>
			other.state === 'dialing' &&
			isInTime(createdAtOf(listed), other) &&
			mayConcern(other.load, listed),
	);
}

function otherCalls({ known }: PlannedCall): KnownCall[] {
	return processCalls
		.onLine(known.line)
		.filter((other) => other.key !== known.key && !isSkipped(other));
}

function hasCallOf(row: IDataObject | undefined, listed: JsonObject): boolean {
	const id = callIdOf(listed);
	return row !== undefined && id !== undefined && callIdOf({ id: row.callId }) === id;
}
