import { ServiceFailure } from '../failure';
import { isJsonObject, isWebPage, parseExactJson, type JsonObject } from '../json';
import type { Redaction } from './redaction';
import type { ServiceAnswer, ServiceRequest } from '../request';
import { statusFailure } from './statusFailure';

/** Deeper data is an attack or a mistake, and n8n's recursive copying can't handle it. */
const MAX_DEPTH = 200;

/**
 * The JSON object of a successful response. Integers above 2^53 are returned as text, with all
 * digits.
 *
 * @throws ServiceFailure of kind `status` for every status except 2xx, `unreadable` for anything
 * but a JSON object (the contract defines neither error bodies nor other successes: 7)
 */
export function readJsonObject(
	answer: ServiceAnswer,
	request: ServiceRequest,
	redaction: Redaction,
): JsonObject {
	if (answer.status < 200 || answer.status > 299) throw statusFailure(answer, request, redaction);
	const parsed = parseExactJson(redaction.data(answer.text));
	if (isJsonObject(parsed) && !isTooDeep(parsed, MAX_DEPTH)) return parsed;
	throw new ServiceFailure({
		kind: 'unreadable',
		what: `The service answered with ${describe(answer.text, parsed)}`,
		advice: 'Check the base URL in the credential. If it is right, contact the service operator',
		status: answer.status,
		request: `${request.method} ${request.path}`,
		about: request.about,
		cutOff: parsed === undefined && /^\s*[{[]/.test(answer.text),
	});
}

function describe(text: string, parsed: unknown): string {
	if (text.trim() === '') return 'nothing';
	if (isWebPage(text)) return 'a web page instead of data';
	if (parsed === undefined) return 'broken or incomplete data';
	if (isJsonObject(parsed)) return 'data nested too deeply';
	return 'data in an unexpected format';
}

/** Visits every value of every response, so it is written for speed. */
function isTooDeep(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	for (const each of inner) if (isTooDeep(each, levels - 1)) return true;
	return false;
}
