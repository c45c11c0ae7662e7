import type { ServiceClient } from '../../../shared/service/client';
import type { JsonObject } from '../../../shared/service/http/json';
import { isOfAnyOther } from '../memory/otherCalls';
import { callIdOf } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { matchNumber } from '../plan/sameNumber';
import type { CallAnswer } from './callAnswer';

/**
 * What the response to a call's request means for this call. If it returns another one, such as an
 * earlier call that the service considers the same, it is unclear whether this one was placed.
 */
export function readOwnAnswer(
	client: ServiceClient,
	call: PlannedCall,
	answer: JsonObject,
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
	return read;
}
