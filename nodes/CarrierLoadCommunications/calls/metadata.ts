import type { IDataObject, INodeProperties, IExecuteFunctions } from 'n8n-workflow';

import { everythingIn, keptWhole } from '../../shared/fields/collection';
import { propertiesOf, type Field, convert } from '../../shared/fields/field';
import { InvalidParameter, type Parameters } from '../../shared/fields/parameters';
import { choice, refuseRounded, text, flag } from '../../shared/fields/simpleFields';
import type { Metadata } from '../../shared/service/contract';
import { isJsonObject, parseExactJson } from '../../shared/service/json';

/** JavaScript treats this key as an object's prototype: n8n loses it when it copies an item. */
const UNSENDABLE = '__proto__';

interface PairsOptions {
	label: string;
	about: string;
	example: [key: string, value: string];
	/** Whether a row's value may be JSON. */
	anyJson: boolean;
}

/** One item's key-value pairs, in order, from the parameters `name`, `nameFrom` and `nameJson`. */
function pairs({ label, about, ...options }: PairsOptions): Field<Map<string, unknown>> {
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
				{ name: 'Automatic', value: 'asGiven', description: "Keep the value's own type" },
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

export const metadata = pairs({
	label: 'Metadata',
	about: "Your own reference values, returned in the call's webhook events",
	example: ['shipmentId', 'SH-20931'],
	anyJson: false,
});

export const metadataOptions = {
	addReference: flag({
		label: 'Add Load and Workflow to Metadata',
		default: true,
		about:
			'Whether to add the load and the IDs of workflow and execution, so webhook events can be traced to them. Your own keys take precedence.',
	}),
	otherValuesAsText: flag({
		label: 'Send Other Metadata Values as Text',
		default: false,
		about:
			'Whether to turn lists, objects, true, false and empty values into text. The service accepts only text and numbers.',
	}),
};

/**
 * One item's metadata: text and numbers (contract 2.8), keeping their types.
 *
 * @throws InvalidParameter that names the key of any other value
 */
export function readMetadata(parameters: Parameters): Metadata {
	const asText = metadataOptions.otherValuesAsText.read(parameters, 'options.otherValuesAsText');
	const sent = [...metadata.read(parameters, 'metadata')].filter(
		([, value]) => value !== undefined,
	);
	return Object.fromEntries(
		sent.map(([key, value]) => [key, asText ? toText(key, value) : textOrNumber(key, value)]),
	);
}

/**
 * Adds what the call is about, because an event may have only the metadata (contract 6), and n8n's
 * own reference (execution, node, item). The user's keys take precedence.
 */
export function withReference(
	context: IExecuteFunctions,
	parameters: Parameters,
	{ loadNumber, loadId, dotNumber }: { loadNumber?: string; loadId?: string; dotNumber?: number },
	own: Metadata,
): Metadata {
	if (!metadataOptions.addReference.read(parameters, 'options.addReference')) return own;
	return {
		...(loadNumber !== undefined && { loadNumber }),
		...(loadId !== undefined && { loadId }),
		...(dotNumber !== undefined && { dotNumber }),
		n8nWorkflowId: String(context.getWorkflow().id ?? ''),
		n8nExecutionId: context.getExecutionId(),
		n8nNode: parameters.node.name,
		n8nItem: parameters.itemIndex,
		...own,
	};
}

function textOrNumber(key: string, value: unknown): string | number {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	throw new InvalidParameter(
		'Metadata',
		`"${key}" is ${kindOf(value)}, but only text and numbers can be sent; leave it out, or turn on the option Send Other Metadata Values as Text`,
		value,
	);
}

function toText(key: string, value: unknown): string | number {
	if (value === null) return '';
	if (typeof value === 'boolean') return String(value);
	if (typeof value !== 'object') return textOrNumber(key, value);
	const text = writeJson(value);
	if (text === undefined) {
		throw new InvalidParameter('Metadata', `"${key}" cannot be turned into text`, value);
	}
	// Dates from n8n's expressions convert themselves to JSON text.
	return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function writeJson(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

function kindOf(value: unknown): string {
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'boolean') return 'true or false';
	return typeof value === 'number' ? 'not a finite number' : 'an object';
}

const label = 'Dynamic Variables';

/** One item's variables, of any JSON type (contract 4.8); undefined if there are none. */
export const dynamicVariables = convert(
	pairs({
		label,
		about: "Values for the variables in the agent's prompt",
		example: ['driver_name', 'Luis Ortega'],
		anyJson: true,
	}),
	(read): Record<string, unknown> | undefined => {
		const sent = [...read].filter(([, value]) => value !== undefined);
		if (sent.length === 0) return undefined;
		return Object.fromEntries(sent.map(([key, value]) => [key, asJson(key, value)]));
	},
);

/** @throws InvalidParameter that names the key of a value that JSON can't represent */
function asJson(key: string, value: unknown): unknown {
	const refuse = () => new InvalidParameter(label, `"${key}" cannot be sent as JSON`);
	let text: string | undefined;
	try {
		text = JSON.stringify(value, (name, part: unknown) => {
			if (name === UNSENDABLE) throw refuse();
			refuseRounded(part, label, `"${key}"`);
			if (typeof part === 'number' && !Number.isFinite(part)) throw refuse();
			return part;
		});
	} catch (error) {
		throw error instanceof InvalidParameter ? error : refuse();
	}
	if (text === undefined) throw refuse();
	return JSON.parse(text);
}
