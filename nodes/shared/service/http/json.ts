import type { IDataObject } from 'n8n-workflow';

/** A JSON object that came over the wire; of its fields nothing is known yet. */
export type JsonObject = IDataObject;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parsed text, undefined when it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function isWebPage(text: string): boolean {
	return /^\s*<(!doctype|html)/i.test(text.slice(0, 1000));
}
