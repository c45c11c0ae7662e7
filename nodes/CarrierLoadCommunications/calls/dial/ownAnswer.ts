import type { ServiceClient } from '../../../shared/service/client';
import type { JsonObject } from '../../../shared/service/http/json';
import { isOfAnyOther } from '../memory/otherCalls';
import { readTime } from '../../../shared/service/recordTime';
import { callIdOf, CLOCK_SKEW_MS } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { matchNumber } from '../plan/sameNumber';
import type { CallAnswer } from './callAnswer';

/**
 * What the response to a call's request means for this call. If it returns another one, such as an
 * earlier call that the service considers the same, it is unclear whether this one was placed.
 *
 * @param sentAt when the request was sent, in Unix milliseconds
 */
export function readOwnAnswer(
	client: ServiceClient,
	call: PlannedCall,
	answer: JsonObject,
	sentAt: number,
): CallAnswer {
	const read = call.readAnswer(answer, client.wordsIn(answer));
	if (!('placed' in read)) return read;
	const { placed } = read;
	const returned = `The service returned call ${callIdOf(placed)}`;
	if (isOfAnyOther(call, placed)) {
		return { unclear: `${returned}, which belongs to another request` };
	}
	if (matchNumber(call.toPhone, placed.toPhone) === 'other') {
		return { unclear: `${returned} to another number, ${String(placed.toPhone)}` };
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
