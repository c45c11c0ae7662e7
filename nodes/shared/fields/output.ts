import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../service/http/json';
import { InvalidParameter } from './invalidParameter';
import type { Parameters } from './parameters';

/** The fields of a row that the service is known to send. */
export interface RowFields {
	/** What a dispatcher needs: put out by default. */
	simplified: readonly string[];
	/** The rest. */
	more: readonly string[];
	/** Whether Simplified keeps fields, too, that this package does not know. */
	keepUnknown?: boolean;
}

export type ShapeRow = (row: IDataObject) => IDataObject;

const OUTPUTS = ['simplified', 'all', 'selected'] as const;

/** Too long for the context of a language model that did not ask for it. */
const NOT_FOR_AGENTS = new Set(['transcript']);

/** "Output" and, for Selected Fields, the list of fields to choose from. */
export function outputFields(fields: RowFields, described?: { simplified: string; all: string }) {
	const output: INodeProperties = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: described?.simplified ?? 'The fields that are needed most',
			},
			{
				name: 'All Fields',
				value: 'all',
				description: described?.all ?? 'Everything that the service sends',
			},
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'Only the fields that you choose',
			},
		],
		default: 'simplified',
		description: 'How much of each record to return',
	};
	const selectedFields: INodeProperties = {
		displayName: 'Fields',
		name: 'selectedFields',
		type: 'multiOptions',
		options: [...fields.simplified, ...fields.more].map((value) => ({
			name: humanName(value),
			value,
		})),
		default: [],
		required: true,
		displayOptions: { show: { output: ['selected'] } },
		description: 'Which fields to return',
	};
	return [output, selectedFields];
}

/**
 * How a row of the service becomes an item's JSON. All Fields keeps what this package does not
 * know. An agent gets the transcript only when Selected Fields names it.
 *
 * @throws InvalidParameter for an unknown output, or a selection of nothing
 */
export function readOutput(
	parameters: Parameters,
	fields: RowFields,
	{ forAgent }: { forAgent: boolean },
): ShapeRow {
	const output =
		parameters.optionalChoice({ name: 'output', displayName: 'Output' }, OUTPUTS) ?? 'simplified';
	if (output === 'selected') return pick(readSelected(parameters));
	if (output === 'all' || fields.keepUnknown) {
		return (row) => withoutErrorKey(forAgent ? withoutLongTexts(row) : row);
	}
	return pick(fields.simplified.filter((name) => !(forAgent && NOT_FOR_AGENTS.has(name))));
}

function readSelected(parameters: Parameters): string[] {
	const names = parameters.texts({ name: 'selectedFields', displayName: 'Fields' });
	if (names.length > 0) return names;
	throw new InvalidParameter('Fields', 'needs at least one field when Output is Selected Fields');
}

/** Lists are long: a loop takes a third of the time that Object.fromEntries takes. */
function pick(names: readonly string[]): ShapeRow {
	return (row) => {
		const picked: IDataObject = {};
		for (const name of names) {
			if (!Object.hasOwn(row, name)) continue;
			if (name === '__proto__') Object.defineProperty(picked, name, ownField(row[name]));
			else picked[name] = row[name];
		}
		return withoutErrorKey(picked);
	};
}

/** A field like any other; assigned, `__proto__` would be none. */
function ownField(value: IDataObject[string]): PropertyDescriptor {
	return { value, enumerable: true, configurable: true, writable: true };
}

/** A placed call holds the listed one, too, with the same texts. */
function withoutLongTexts(row: IDataObject): IDataObject {
	const kept = Object.entries(row).filter(([name]) => !NOT_FOR_AGENTS.has(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, isJsonObject(value) ? withoutLongTexts(value) : value]),
	);
}

/**
 * A row's own `error` goes out as `serviceError`: n8n takes an item with `error` for a failed one
 * and sends it to the error output (n8n-core 2.41), and older versions ran the node again.
 */
function withoutErrorKey(row: IDataObject): IDataObject {
	if (!('error' in row)) return row;
	return Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name === 'error' ? freeName(row) : name, value]),
	);
}

function freeName(row: IDataObject): string {
	let name = 'serviceError';
	while (Object.hasOwn(row, name)) name += '_';
	return name;
}

const ABBREVIATIONS: Record<string, string> = {
	Avg: 'Average',
	Dot: 'DOT',
	Ext: 'Extension',
	Fleetsize: 'Fleet Size',
	Hw: 'HW',
	Id: 'ID',
	Ids: 'IDs',
	Mc: 'MC',
	Url: 'URL',
};

/** "mcNumber" -> "MC Number", as the lists of fields show it. */
function humanName(field: string): string {
	return field
		.replace(/([A-Z])/g, ' $1')
		.split(' ')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.map((word) => ABBREVIATIONS[word] ?? word)
		.join(' ');
}
