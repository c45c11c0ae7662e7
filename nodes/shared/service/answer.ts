import { statusFailure, unreadable, describe } from './answerFailure';
import type { ServiceAnswer } from './exchange';
import type { RequestName } from './failure';
import { isJsonObject, MAX_VALUES, parseExactJson, tooMuch, type JsonObject } from './json';
import type { Redaction } from './redaction';
import { serviceMessage } from './serviceWords';

/**
 * The JSON object of a successful response.
 * @throws ServiceFailure of kind `status` for every status except 2xx, `unreadable` for anything
 * but a JSON object (the contract defines neither error bodies nor other successes: 7)
 */
export function readJsonObject(answer: ServiceAnswer, request: RequestName, redaction: Redaction) {
	const { status, text } = answer;
	if (status < 200 || status > 299) throw statusFailure(answer, request, redaction);
	const excess = tooMuch(text);
	if (excess === 'values') {
		throw unreadable(request, {
			what: `The service returned more than ${MAX_VALUES.toLocaleString('en-US')} values in one response`,
			advice: 'Choose a shorter time range. If it already is short, contact the service operator',
		});
	}
	const parsed = excess ? undefined : parseExactJson(redaction.in(text));
	if (isJsonObject(parsed)) return parsed;
	const instead = excess ? 'data nested too deeply' : describe(text, parsed);
	const cutOff = !excess && parsed === undefined && /^\s*[{[]/.test(text);
	throw unreadable(request, { what: `The service responded with ${instead}`, status, cutOff });
}

/**
 * The rows under a key of a response, with what the service says about their list.
 * @throws ServiceFailure if there is no list under the key: with the service's own words, if it
 * gives any (a 200 with `success: false`), else of kind `unreadable`
 */
export function pageOf(body: JsonObject, key: string, redaction: Redaction, request: RequestName) {
	const { [key]: listed, ...others } = body;
	const { pagination } = others;
	// Some services write an empty list as null.
	const rows: unknown = listed === null && isJsonObject(pagination) ? [] : listed;
	const words = serviceMessage(JSON.stringify(others), redaction) ?? '';
	// Without a list, or with an empty one, the service may say why: "Access denied".
	const isReason = Array.isArray(rows)
		? rows.length === 0 && DENIED.test(words)
		: !NO_ERROR.test(words);
	if (isReason || saysItFailed(others)) {
		throw unreadable(request, {
			what: 'The service rejected the request',
			advice: 'Check the values of this item, or try again later',
			serviceMessage: words || undefined,
		});
	}
	if (!Array.isArray(rows) || (rows.length > 0 && !rows.some(isJsonObject))) {
		const what = `The service responded without the requested list "${key}"`;
		throw unreadable(request, { what });
	}
	const { total, limit } = isJsonObject(pagination) ? pagination : {};
	return {
		rows: rows.map((row: unknown) => (isJsonObject(row) ? row : {})),
		total: readCount(total),
		appliedLimit: readCount(limit),
	};
}

/** What no service says next to a list that is empty because there are no records. */
const DENIED =
	/denied|forbidden|unauthori|not (?:allowed|authori|permitted)|permission|invalid|expired|(?:server|database) error/i;

/** How services say that there is no error. */
const NO_ERROR = /^(none|false|null|no|ok|success|0)?$/i;

/** Whether an answer with status 200 reports an error, maybe next to an empty list or a part of one. */
function saysItFailed({ success, ok, status, statusCode, error, errors }: JsonObject): boolean {
	if (success === false || ok === false) return true;
	const isBad = (each: unknown) => /^(error|fail(ed|ure)?|[45]\d\d)$/i.test(String(each));
	const isError = (each: unknown) =>
		typeof each === 'string'
			? !NO_ERROR.test(each.trim())
			: Boolean(each) && !['{}', '[]'].includes(JSON.stringify(each));
	return [status, statusCode].some(isBad) || [error, errors].some(isError);
}

/** Anything that isn't a number of records counts as missing. */
function readCount(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
