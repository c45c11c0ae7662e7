import type { IDataObject } from 'n8n-workflow';

/** A JSON object from outside; its fields are not checked yet. */
export type JsonObject = IDataObject;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A record's `id`; undefined if it has none, such as a million digits. Many languages write a missing number as 0. */
export function idOf({ id }: JsonObject): number | string | undefined {
	const isId = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
	return isId && Boolean(id) ? id : undefined;
}

/** A page of 500 calls has some 10,000; more block n8n while they are parsed. */
export const MAX_VALUES = 200_000;
/** Deeper data is an attack or a mistake, and n8n's recursive copying can't handle it. */
const MAX_DEPTH = 200;

/** What keeps JSON from being parsed, if anything does: parsing 16 MB of `{},{},…` alone would take seconds. */
export function tooMuch(text: string, maxValues = MAX_VALUES, maxDepth = MAX_DEPTH) {
	let values = 0;
	let depth = 0;
	for (const [between] of partsOf(text)) {
		for (const char of between) {
			const isOpening = char === '[' || char === '{';
			// Outside of strings, each value follows one of these.
			if (isOpening || char === ',') values++;
			if (isOpening) depth++;
			else if (char === ']' || char === '}') depth--;
			if (depth > maxDepth) return 'levels';
			if (values > maxValues) return 'values';
		}
	}
	return undefined;
}

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

// Without a maximum, a million digits would overflow the stack.
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,1000}(?![\d.eE])/g;

/**
 * The parsed text; undefined if it isn't JSON. Integers above 2^53 are text with all digits; as
 * numbers they would be rounded to another record's ID. (`context.source` of JSON.parse would do it
 * too, but needs Node 22.)
 */
export function parseExactJson(text: string): unknown {
	const parsed = parseJson(text);
	if (parsed === undefined || !/\d{16}/.test(text)) return parsed;
	const quote = (digits: string) => (Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`);
	const parts = Array.from(partsOf(text), ([between, quoted]) =>
		between.replace(LONG_INTEGER, quote).concat(quoted),
	);
	return parseJson(parts.join(''));
}

/** JSON cut at its strings: what is before each of them, and the string. */
function* partsOf(text: string): Generator<[between: string, quoted: string]> {
	for (let from = 0; from < text.length; ) {
		const open = text.indexOf('"', from);
		const start = open < 0 ? text.length : open;
		const end = open < 0 ? text.length : endOfString(text, open);
		yield [text.slice(from, start), text.slice(start, end)];
		from = end;
	}
}

function endOfString(text: string, open: number): number {
	for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
		let backslashes = 0;
		while (text[quote - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return quote + 1;
	}
	return text.length;
}
