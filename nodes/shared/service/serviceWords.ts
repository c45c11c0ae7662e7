import { parseJson, isJsonObject } from './json';
import type { Redaction } from './redaction';

/** Of the service's message in an error, and of bodies that are searched for one. */
const MAX_MESSAGE_LENGTH = 300;
const MAX_BODY_LENGTH = 100_000;

/** From JSON of the usual shapes, or text: the contract doesn't define error bodies (7). */
export function serviceMessage(text: string, redaction: Redaction): string | undefined {
	if (text.trim() === '' || text.length > MAX_BODY_LENGTH || /^\s*</.test(text)) return undefined;
	const words = redaction
		.in(wordsOf(parseJson(text)) ?? textOnly(text))
		.replaceAll(/\s+/g, ' ')
		.trim();
	if (words === '') return undefined;
	return words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH)}…` : words;
}

function wordsOf(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return body;
	if (Array.isArray(body) && depth < 4) {
		const words = body.slice(0, 5).map((each) => wordsOf(each, depth + 1));
		return words.filter((each) => each !== undefined).join('; ') || undefined;
	}
	if (!isJsonObject(body) || depth >= 4) return undefined;
	const places = [body.message, body.error, body.detail, body.details, body.errors, body.title];
	return places.map((place) => wordsOf(place, depth + 1)).find((words) => words !== undefined);
}

/** Text that isn't JSON is shown as is. JSON without a message, and binary data, are not for people. */
function textOnly(text: string): string {
	if (text.includes('\0') || text.includes('\uFFFD')) return '';
	return /^\s*[{[]/.test(text) || /^\s*(null|true|false|-?\d+)\s*$/.test(text) ? '' : text;
}
