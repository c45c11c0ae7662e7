import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import { parseJson } from '../../../shared/service/http/json';
import { SOURCES, type PairsField } from './pairsFields';

/** A key that JavaScript takes for an object's prototype: n8n loses it when it copies an item. */
export const UNSENDABLE = '__proto__';

/**
 * The pairs of one item in their order, values as they were given.
 *
 * @throws InvalidParameter for JSON that is no object, and for an empty, repeated or unsendable key
 */
export function readPairs(
	context: IExecuteFunctions,
	parameters: Parameters,
	field: PairsField,
): Map<string, unknown> {
	const source = parameters.optionalChoice(
		{ name: `${field.name}From`, displayName: `${field.displayName} From` },
		SOURCES,
	);
	const pairs = new Map<string, unknown>();
	for (const [typed, value] of given(context, parameters, field, source ?? 'entries')) {
		const key = typed.trim();
		if (key === '') throw new InvalidParameter(field.displayName, 'has an entry without a key');
		if (key === UNSENDABLE) {
			throw new InvalidParameter(field.displayName, `has the key "${key}", which cannot be sent`);
		}
		if (pairs.has(key)) {
			throw new InvalidParameter(field.displayName, `has the key "${key}" more than once`);
		}
		pairs.set(key, value);
	}
	return pairs;
}

function given(
	context: IExecuteFunctions,
	parameters: Parameters,
	field: PairsField,
	source: (typeof SOURCES)[number],
): Array<[string, unknown]> {
	if (source === 'itemFields') {
		return Object.entries(context.getInputData()[parameters.itemIndex]?.json ?? {});
	}
	if (source === 'json') {
		const value = parameters.raw(`${field.name}Json`);
		return Object.entries(readObject(value, `${field.displayName} (JSON)`));
	}
	const entries = parameters.raw(`${field.name}.entry`);
	if (entries === undefined) return [];
	if (!Array.isArray(entries)) {
		throw new InvalidParameter(field.displayName, 'must be a list of entries', entries);
	}
	return entries.map((entry: unknown) => readRow(Object(entry), field));
}

function readRow(row: Record<string, unknown>, field: PairsField): [string, unknown] {
	const { key, value, valueType = 'asGiven' } = row;
	if (typeof key !== 'string' && typeof key !== 'number') {
		throw new InvalidParameter(field.displayName, 'has an entry whose key is not text', key);
	}
	return [String(key), typed(value, String(valueType), `"${key}"`, field)];
}

function typed(value: unknown, type: string, named: string, field: PairsField): unknown {
	if (type === 'json' && typeof value === 'string') return parse(value, field.displayName, named);
	if (type === 'text' && typeof value !== 'object') return String(value);
	if (type !== 'number' || typeof value === 'number') return value;
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
	if (Number.isFinite(number)) return number;
	throw new InvalidParameter(field.displayName, `${named} must be a number`, value);
}

function readObject(value: unknown, name: string): IDataObject {
	const object: unknown = typeof value === 'string' ? parse(value, name, '') : (value ?? {});
	if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { ...object };
	throw new InvalidParameter(name, 'must be an object of keys and values', value);
}

function parse(text: string, name: string, named: string): unknown {
	const value = parseJson(text);
	if (value !== undefined) return value;
	throw new InvalidParameter(name, `${named} is not valid JSON`.trimStart(), text);
}
