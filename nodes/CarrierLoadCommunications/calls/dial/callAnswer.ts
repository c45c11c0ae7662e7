import { isJsonObject, type JsonObject } from '../../../shared/service/http/json';
import { callIdOf } from '../output/listedCall';

/**
 * What the response to a call request means: `refused` in the service's words if it gives any;
 * `unclear`, in half a sentence, if the contract doesn't say whether a call was placed.
 */
export type CallAnswer =
	| { placed: JsonObject }
	| { refused: string | undefined }
	| { unclear: string };

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

/**
 * For agent calls (contract 4.8). Only `success` is documented; with any other status it is unknown
 * whether the phone rang, unless `call` is null (contract 7).
 */
export function readAgentAnswer({ status, call }: JsonObject, words?: string): CallAnswer {
	if (call === null) return { refused: words ?? statusWords(status) };
	if (status !== 'success') return unclear(`answered with ${statusWords(status)}`, words);
	if (!isJsonObject(call)) return unclear('did not say whether the call was placed', words);
	return readCall(call, words);
}

function readCall(call: JsonObject, words?: string): CallAnswer {
	const { status } = call;
	const id = callIdOf(call);
	if (id === undefined) return unclear('returned a call without an ID', words);
	if (typeof status !== 'string' || !FAILED.test(status)) return { placed: call };
	return unclear(`returned call ${id} with ${statusWords(status)}`, words);
}

function statusWords(status: unknown): string {
	return typeof status === 'string' ? `the status "${status.slice(0, 100)}"` : 'no status';
}

function unclear(what: string, words: string | undefined): { unclear: string } {
	return { unclear: `The service ${what}${words === undefined ? '' : `: ${words}`}` };
}
