import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choice } from '../../../shared/fields/choice';
import { everythingIn, keptWhole } from '../../../shared/fields/collection';
import { propertiesOf, type Field } from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { refuseRounded } from '../../../shared/fields/number';
import type { Parameters } from '../../../shared/fields/parameters';
import { text } from '../../../shared/fields/text';
import { isJsonObject, parseExactJson } from '../../../shared/service/http/json';

/** JavaScript treats this key as an object's prototype: n8n loses it when it copies an item. */
export const UNSENDABLE = '__proto__';

interface PairsOptions {
	label: string;
	about: string;
	example: [key: string, value: string];
	/** Whether a row's value may be JSON. */
	anyJson: boolean;
}

/** One item's key-value pairs, in order, from the parameters `name`, `nameFrom` and `nameJson`. */
export function pairs({ label, about, ...options }: PairsOptions): Field<Map<string, unknown>> {
	const source = choice({
		label: `${label} From`,
		choices: [
			{ name: 'All Fields of the Input Item', value: 'itemFields' },
			{ name: 'Fields Below', value: 'entries' },
			{ name: 'JSON', value: 'json' },
		],
		default: 'entries',
		about,
	});
	return {
		properties: (name): INodeProperties[] => [
			...source.properties(`${name}From`),
			...keptWhole({
				displayName: label,
				name,
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				placeholder: 'Add Field',
				displayOptions: { show: { [`${name}From`]: ['entries'] } },
				options: [{ displayName: 'Field', name: 'entry', values: rowProperties(options) }],
			}),
			{
				displayName: `${label} (JSON)`,
				name: `${name}Json`,
				type: 'json',
				default: '{}',
				displayOptions: { show: { [`${name}From`]: ['json'] } },
				description: 'An object of keys and values',
			},
		],
		read(parameters, name) {
			const from = source.read(parameters, `${name}From`);
			return withoutBadKeys(label, entriesFrom(from, parameters, name, label));
		},
	};
}

function rowProperties({ example, anyJson }: Pick<PairsOptions, 'example' | 'anyJson'>) {
	return propertiesOf({
		key: text({ label: 'Key', example: example[0] }),
		valueType: choice({
			label: 'Type',
			choices: [
				{ name: 'As Given', value: 'asGiven', description: "Keep the value's own type" },
				...(anyJson ? [{ name: 'JSON', value: 'json' }] : []),
				{ name: 'Number', value: 'number' },
				{ name: 'Text', value: 'text' },
			],
			default: 'asGiven',
		}),
		value: text({ label: 'Value', example: example[1] }),
	});
}

/** @throws InvalidParameter for an empty, duplicate or unsendable key, or a rounded number */
function withoutBadKeys(label: string, entries: Array<[string, unknown]>): Map<string, unknown> {
	const read = new Map<string, unknown>();
	for (const [typedKey, value] of entries) {
		const key = typedKey.trim();
		if (key === '') throw new InvalidParameter(label, 'has an entry without a key');
		if (key === UNSENDABLE) {
			throw new InvalidParameter(label, `has the key "${key}", which cannot be sent`);
		}
		if (read.has(key)) throw new InvalidParameter(label, `has the key "${key}" more than once`);
		refuseRounded(value, label, `"${key}"`);
		read.set(key, value);
	}
	return read;
}

function entriesFrom(
	from: 'itemFields' | 'entries' | 'json',
	parameters: Parameters,
	name: string,
	label: string,
): Array<[string, unknown]> {
	if (from === 'itemFields') return Object.entries(parameters.inputItem);
	if (from === 'json') {
		return Object.entries(parseObject(parameters.raw(`${name}Json`), `${label} (JSON)`));
	}
	const rows = rowsIn(parameters, name, label);
	if (Array.isArray(rows)) return rows.map((row: unknown) => parseRow(Object(row), label));
	throw new InvalidParameter(label, 'must be a list of entries', rows);
}

function rowsIn(parameters: Parameters, name: string, label: string): unknown {
	if (!parameters.isExpression(name)) return parameters.raw(`${name}.entry`) ?? [];
	const { entry = [], ...others } = everythingIn(parameters, name, label);
	if (Object.keys(others).length === 0) return entry;
	const problem = `must have its rows under "entry"; for an object, set ${label} From to JSON`;
	throw new InvalidParameter(label, problem, others);
}

/** n8n doesn't store what is empty. */
function parseRow(given: Record<string, unknown>, label: string): [string, unknown] {
	const { key, value, valueType } = { key: '', value: '', valueType: 'asGiven', ...given };
	if (typeof key !== 'string' && typeof key !== 'number') {
		throw new InvalidParameter(label, 'has an entry whose key is not text', key);
	}
	return [String(key), asType(String(valueType), value, `"${key}"`, label)];
}

function asType(type: string, value: unknown, named: string, label: string): unknown {
	refuseRounded(value, label, named);
	if (type === 'json' && typeof value === 'string') return parseValue(value, label, named);
	if (type === 'text' && typeof value !== 'object') return String(value);
	if (type !== 'number' || typeof value === 'number') return value;
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
	if (Number.isFinite(number)) return number;
	throw new InvalidParameter(label, `${named} must be a number`, value);
}

function parseObject(value: unknown, label: string): IDataObject {
	const object = typeof value === 'string' ? parseValue(value, label, '') : (value ?? {});
	if (isJsonObject(object)) return object;
	throw new InvalidParameter(label, 'must be an object of keys and values', value);
}

function parseValue(json: string, label: string, named: string): unknown {
	const value = parseExactJson(json);
	if (value !== undefined) return value;
	throw new InvalidParameter(label, `${named} is not valid JSON`.trimStart(), json);
}
