import type { ServiceClient } from '../../shared/service/client';
import { isJsonObject, type JsonObject } from '../../shared/service/json';
import { readTime } from '../../shared/service/record';
import type { PlannedCall, CallAnswer } from './call';
import { callIdOf } from './keys';
import { CLOCK_SKEW_MS } from './listedCall';
import { isOfOtherRequest } from './memory';
import { matchNumber } from './phone';

/** Unclear if the service returns another call, such as an earlier one that it considers the same. */
export function readOwnAnswer(
	client: ServiceClient,
	call: PlannedCall,
	answer: JsonObject,
	sentAt: number,
): CallAnswer {
	const read = call.readAnswer(answer, client.wordsIn(answer));
	if (!('placed' in read)) return read;
	const { placed } = read;
	const id = callIdOf(placed);
	const returned = `The service returned call ${id}`;
	if (isOfOtherRequest(call.identity, id)) {
		return { unclear: `${returned}, which belongs to another request` };
	}
	if (matchNumber(call.toPhone, placed.toPhone) === 'other') {
		return { unclear: `${returned} to another number, ${String(placed.toPhone).slice(0, 100)}` };
	}
	if (isEarlier(placed, Date.now() - sentAt)) {
		return { unclear: `${returned}, which was placed earlier, at ${String(placed.createdAt)}` };
	}
	return read;
}

/**
 * Whether the service changed a call longer after it was created than the request took, and it isn't
 * in progress. Only the service's own times are compared: its clock or zone may be wrong.
 */
function isEarlier({ status, createdAt, updatedAt }: JsonObject, tookMs: number): boolean {
	const [created, updated] = [readTime(createdAt), readTime(updatedAt)];
	if (status === 'IN_PROGRESS' || created?.toleranceMs !== updated?.toleranceMs) return false;
	return Number(updated?.ms) - Number(created?.ms) > tookMs + CLOCK_SKEW_MS;
}

/** Statuses that mean there is no call. The contract (3) shows only `IN_PROGRESS`. */
const FAILED =
	/fail|error|reject|refus|cancel|invalid|denied|declin|block|abort|not.?(initiated|placed)/i;

/** For check calls and carrier sales calls (contract 4.7, 7: a null `call` was not placed). */
export function readTriggerAnswer({ success, call }: JsonObject, words?: string): CallAnswer {
	if (call === null) return { refused: words };
	if (isJsonObject(call)) {
		if (success === true || success === undefined || success === null) return readCall(call, words);
		return unclear('did not report a success, but returned a call', words);
	}
	if (success === false) return { refused: words };
	return unclear('did not say whether the call was placed', words);
}

export function readCall(call: JsonObject, words?: string): CallAnswer {
	const { status } = call;
	const id = callIdOf(call);
	if (id === undefined) return unclear('returned a call without an ID', words);
	if (typeof status !== 'string' || !FAILED.test(status.slice(0, 100))) return { placed: call };
	return unclear(`returned call ${id} with ${statusWords(status)}`, words);
}

export function statusWords(status: unknown): string {
	return typeof status === 'string' ? `the status "${status.slice(0, 100)}"` : 'no status';
}

export function unclear(what: string, words: string | undefined): { unclear: string } {
	return { unclear: `The service ${what}${words === undefined ? '' : `: ${words}`}` };
}
