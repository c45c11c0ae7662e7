import { isJsonObject, type JsonObject } from '../../../shared/service/http/json';

/**
 * What an answer to a trigger request says.
 *
 * - `placed`: with the call
 * - `refused`: no call was initiated, in the service's words where it has some
 * - `unclear`: the contract does not say what such an answer means, half a sentence says why
 */
export type PlacingAnswer =
	| { placed: JsonObject }
	| { refused: string | undefined }
	| { unclear: string };

/**
 * Reads the answer to a check call or carrier sales call (contract 4.7, 7: a `call` of null was
 * not initiated, a call is present when it was).
 */
export function readTriggerAnswer(answer: JsonObject): PlacingAnswer {
	const { success, call } = answer;
	if (call === null) return { refused: wordsOf(answer) };
	if (isJsonObject(call)) {
		if (success !== false) return { placed: call };
		return { unclear: told('said that it failed and sent a call all the same', answer) };
	}
	if (success === false) return { refused: wordsOf(answer) };
	return { unclear: told('did not say whether there is a call', answer) };
}

/**
 * Reads the answer to an agent call (contract 4.8). Only `success` is shown there; of another
 * status it is not known whether the phone rang, unless `call` is null (contract 7).
 */
export function readAgentAnswer(answer: JsonObject): PlacingAnswer {
	const { status, call } = answer;
	if (call === null) return { refused: wordsOf(answer) ?? statusWords(status) };
	if (status === 'success' && isJsonObject(call)) return { placed: call };
	if (status === 'success') return { unclear: told('did not say whether there is a call', answer) };
	return { unclear: told(`answered with ${statusWords(status)}`, answer) };
}

function statusWords(status: unknown): string {
	return typeof status === 'string' ? `the status "${status.slice(0, 100)}"` : 'no status';
}

function told(what: string, answer: JsonObject): string {
	const words = wordsOf(answer);
	return `The service ${what}${words === undefined ? '' : `: ${words}`}`;
}

function wordsOf({ message, error, detail }: JsonObject): string | undefined {
	const words = [message, error, detail].find((word) => typeof word === 'string' && word !== '');
	return typeof words === 'string' ? words.slice(0, 300) : undefined;
}
