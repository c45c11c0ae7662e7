import type { INodeProperties } from 'n8n-workflow';

import { everythingIn } from '../../shared/fields/readCollection';
import { keptWhole } from '../../shared/fields/collection';
import { propertiesOf, convert } from '../../shared/fields/field';
import type { Field, Choice } from '../../shared/fields/fieldTypes';
import type { Parameters } from '../../shared/fields/parameters';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { choice, text, flag } from '../../shared/fields/simpleFields';
import { refuseRounded } from '../../shared/fields/parse';
import type { Metadata } from '../../shared/service/contract';
import { isJsonObject, parseExactJson } from '../../shared/service/json';

/** One item's key-value pairs, from the parameters `name`, `nameFrom` and `nameJson`. */
function pairs(
	label: string,
	about: string,
	example: [key: string, value: string],
	valueTypes: Choice[] = [],
): Field<Array<[string, unknown]>> {
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
	const row = {
		key: text({ label: 'Key', example: example[0] }),
		valueType: choice({
			label: 'Type',
			choices: [
				{ name: 'Automatic', value: 'asGiven', description: "Keep the value's own type" },
				...valueTypes,
				{ name: 'Number', value: 'number' },
				{ name: 'Text', value: 'text' },
			],
			default: 'asGiven',
		}),
		value: text({ label: 'Value', example: example[1] }),
	};
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
				options: [{ displayName: 'Field', name: 'entry', values: propertiesOf(row) }],
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
			if (from === 'itemFields') return checked(label, Object.entries(parameters.inputItem));
			if (from === 'entries') return checked(label, rowsIn(parameters, name, label));
			const given = parameters.raw(`${name}Json`) ?? {};
			const object = typeof given === 'string' ? parseExactJson(given) : given;
			if (isJsonObject(object)) return checked(label, Object.entries(object));
			const problem = 'must be a JSON object of keys and values';
			throw new InvalidParameter(`${label} (JSON)`, problem, given);
		},
	};
}

/** @throws InvalidParameter for an empty or duplicate key, or a rounded number */
function checked(label: string, entries: Array<[string, unknown]>): Array<[string, unknown]> {
	const keys = new Set<string>();
	const read = entries.map(([typed, value]): [string, unknown] => {
		const key = typed.trim();
		if (key === '') throw new InvalidParameter(label, 'has an entry without a key');
		if (keys.has(key)) throw new InvalidParameter(label, `has the key "${key}" more than once`);
		keys.add(key);
		refuseRounded(value, label, `"${key}"`);
		return [key, value];
	});
	return read.filter(([, value]) => value !== undefined);
}

function rowsIn(parameters: Parameters, name: string, label: string): Array<[string, unknown]> {
	// In the form, the rows may be missing.
	const { entry = [], ...others } = parameters.isExpression(name)
		? everythingIn(parameters, name, label)
		: { entry: parameters.raw(`${name}.entry`) ?? [] };
	if (Object.keys(others).length > 0) {
		const problem = `must have its rows under "entry"; for an object, set ${label} From to JSON`;
		throw new InvalidParameter(label, problem, others);
	}
	if (!Array.isArray(entry)) throw new InvalidParameter(label, 'must be a list of entries', entry);
	return entry.map((row: unknown) => {
		// n8n doesn't store what is empty.
		const { key, value, valueType } = { key: '', value: '', valueType: '', ...Object(row) };
		return [String(key), asType(valueType, value, `"${key}"`, label)];
	});
}

function asType(type: unknown, value: unknown, named: string, label: string): unknown {
	if (type === 'text' && typeof value !== 'object') {
		refuseRounded(value, label, named);
		return String(value);
	}
	if (typeof value !== 'string' || (type !== 'json' && type !== 'number')) return value;
	const read = type === 'json' ? parseExactJson(value) : Number(value.trim() || NaN);
	if (read !== undefined && !Number.isNaN(read)) return read;
	const problem = type === 'json' ? 'is not valid JSON' : 'must be a number';
	throw new InvalidParameter(label, `${named} ${problem}`, value);
}

/** @throws InvalidParameter that names the key of a value that JSON can't represent */
function asJson(label: string, key: string, value: unknown): unknown {
	const unsendable = new InvalidParameter(label, `"${key}" cannot be sent as JSON`);
	let text: string | undefined;
	try {
		text = JSON.stringify(value, (_name, part: unknown) => {
			refuseRounded(part, label, `"${key}"`);
			if (typeof part === 'number' && !Number.isFinite(part)) throw unsendable;
			return part;
		});
	} catch (error) {
		throw error instanceof InvalidParameter ? error : unsendable;
	}
	if (text === undefined) throw unsendable;
	return JSON.parse(text);
}

export const metadata = pairs(
	'Metadata',
	"Your own reference values, returned in the call's webhook events as text or numbers",
	['shipmentId', 'SH-20931'],
);

export const addReference = flag({
	label: 'Add Load and Workflow to Metadata',
	default: true,
	about:
		'Whether to add the load and the IDs of workflow and execution, so webhook events can be traced to them. Your own keys take precedence.',
});

/** One item's metadata: text and numbers (contract 2.8), and text in JSON for all else. @throws InvalidParameter */
export function readMetadata(parameters: Parameters): Metadata {
	const sent = metadata
		.read(parameters, 'metadata')
		.map(([key, value]): [string, string | number] => {
			const plain = asJson('Metadata', key, value);
			if (typeof plain === 'string' || typeof plain === 'number') return [key, plain];
			return [key, plain === null ? '' : JSON.stringify(plain)];
		});
	return Object.fromEntries(sent);
}

const VARIABLES = 'Dynamic Variables';

/** One item's variables, of any JSON type (contract 4.8); undefined if there are none. */
export const dynamicVariables = convert(
	pairs(
		VARIABLES,
		"Values for the variables in the agent's prompt",
		['driver_name', 'Luis Ortega'],
		[{ name: 'JSON', value: 'json' }],
	),
	(read): Record<string, unknown> | undefined => {
		if (read.length === 0) return undefined;
		return Object.fromEntries(read.map(([key, value]) => [key, asJson(VARIABLES, key, value)]));
	},
);
