import type { IDataObject } from 'n8n-workflow';

/** A JSON object from outside; its fields are not checked yet. */
export type JsonObject = IDataObject;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A record's `id`; undefined if it has none. Many languages write a missing number as 0. */
export function idOf({ id }: JsonObject): number | string | undefined {
	return (typeof id === 'number' || typeof id === 'string') && Boolean(id) ? id : undefined;
}

/** A page of 500 calls has some 10,000; more block n8n while they are parsed. */
export const MAX_VALUES = 200_000;

/** Whether JSON has more values than may be parsed: outside of strings, each follows one of these. */
export function hasTooManyValues(text: string): boolean {
	let values = 0;
	for (const [between] of partsOf(text)) {
		for (const char of between) if (char === ',' || char === '[' || char === '{') values++;
		if (values > MAX_VALUES) return true;
	}
	return false;
}

/** The parsed text; undefined if it isn't JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * The parsed text, with integers above 2^53 as text with all digits; undefined if it isn't JSON.
 */
export function parseExactJson(text: string): unknown {
	const parsed = parseJson(text);
	const isExact = parsed === undefined || !/\d{16}/.test(text);
	return isExact ? parsed : parseJson(quoteLongIntegers(text));
}

export function isWebPage(text: string): boolean {
	return /^\s*<(!doctype|html)/i.test(text.slice(0, 1000));
}

// Without a maximum, a million digits would overflow the stack.
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,1000}(?![\d.eE])/g;

/**
 * Turns integers above 2^53 into text with all digits; as numbers they would be rounded to another
 * record's ID. (`context.source` of JSON.parse would do it too, but needs Node 22.)
 */
function quoteLongIntegers(text: string): string {
	const parts: string[] = [];
	for (const [between, quoted] of partsOf(text)) {
		parts.push(between.replace(LONG_INTEGER, quoteIfUnsafe), quoted);
	}
	return parts.join('');
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

function quoteIfUnsafe(digits: string): string {
	return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
}

/** The index after the closing quote of the string that starts at an index. */
function endOfString(text: string, open: number): number {
	for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
		let backslashes = 0;
		while (text[quote - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return quote + 1;
	}
	return text.length;
}
