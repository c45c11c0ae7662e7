import type { ServiceAnswer, ServiceRequest } from './exchange';
import { ServiceFailure } from './failure';
import { isJsonObject, isWebPage, parseJson, type JsonObject } from './json';
import type { Redaction } from './redaction';
import { statusFailure } from './statusFailure';

export { isJsonObject, type JsonObject } from './json';

/** Deeper data is an attack or an accident, and n8n cannot copy it (its copying recurses). */
const DEEPEST = 200;

/**
 * The JSON object of a successful answer.
 *
 * @throws ServiceFailure of kind `status` for every status but 2xx, `unreadable` for anything that
 * is not a JSON object (the contract defines neither error bodies nor other successes: 7)
 */
export function readJsonObject(
	answer: ServiceAnswer,
	request: ServiceRequest,
	redaction: Redaction,
): JsonObject {
	if (answer.status < 200 || answer.status > 299) throw statusFailure(answer, request, redaction);
	const parsed = parseJson(redaction.data(answer.text));
	if (isJsonObject(parsed) && !isDeeperThan(parsed, DEEPEST)) return parsed;
	throw new ServiceFailure({
		kind: 'unreadable',
		what: `The service answered with ${describe(answer.text, parsed)}`,
		advice: 'Check the base URL in the credential; if it is right, tell the service operator',
		status: answer.status,
		request: `${request.method} ${request.path}`,
		about: request.about,
		cutOff: parsed === undefined && /^\s*[{[]/.test(answer.text),
	});
}

function describe(text: string, parsed: unknown): string {
	if (text.trim() === '') return 'nothing';
	if (isWebPage(text)) return 'a web page instead of data';
	if (parsed === undefined) return 'broken or cut off data';
	if (isJsonObject(parsed)) return 'data nested too deep to be read';
	return 'data of another shape than expected';
}

/** Looks at every value of every answer: written for speed. */
function isDeeperThan(value: unknown, levels: number): boolean {
	if (Array.isArray(value)) {
		if (levels === 0) return true;
		for (const inner of value) if (isDeeperThan(inner, levels - 1)) return true;
		return false;
	}
	return isJsonObject(value) && (levels === 0 || isObjectDeeperThan(value, levels));
}

function isObjectDeeperThan(fields: JsonObject, levels: number): boolean {
	for (const name in fields) if (isDeeperThan(fields[name], levels - 1)) return true;
	return false;
}
