import type { IDataObject } from 'n8n-workflow';

import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import { choice, choices } from '../../shared/fields/choice';
import { group, type Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { isJsonObject } from '../../shared/service/http/json';

/** The fields that the service is known to return. */
export interface RowFields {
	/** What a dispatcher needs; returned by default. */
	simplified: readonly string[];
	more: readonly string[];
	/** Whether Simplified also keeps unknown fields. */
	keepUnknown?: boolean;
}

export type ShapeRow = (row: IDataObject) => IDataObject;

/** The chosen output, and how it converts a row to an item's JSON. */
export interface Output {
	level: 'simplified' | 'all' | 'selected';
	shape: ShapeRow;
}

/** Too long for a language model's context, unless it was asked for. */
const NOT_FOR_AGENTS = new Set(['transcript']);

/**
 * "Output" and, for Selected Fields, the list of fields. All Fields also returns fields unknown to
 * this package. Agents get the transcript only if Selected Fields names it.
 */
export function output(
	rowFields: RowFields,
	about: { simplified?: string; all?: string } = {},
): Field<Output> {
	const declared = {
		output: choice({
			label: 'Output',
			choices: [
				{
					name: 'Simplified',
					value: 'simplified',
					description: about.simplified ?? 'The most useful fields',
				},
				{
					name: 'All Fields',
					value: 'all',
					description: about.all ?? 'Everything the service sends',
				},
				{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
			],
			default: 'simplified',
			about: 'How much of each record to return',
		}),
		selectedFields: choices({
			label: 'Fields',
			choices: [...rowFields.simplified, ...rowFields.more].map((value) => ({
				name: humanName(value),
				value,
			})),
			required: true,
			show: { output: ['selected'] },
			about: 'Which fields to return',
		}),
	};
	return group(declared, (read, { forAgent }) => {
		const level = read('output');
		const safely = (shape: ShapeRow) => ({
			level,
			shape: (row: IDataObject) => withoutMetadataUrl(withoutErrorKey(shape(row))),
		});
		if (level === 'selected') return safely(pick(atLeastOne(read('selectedFields'))));
		if (level === 'all' || rowFields.keepUnknown) {
			return safely((row) => (forAgent ? withoutLongTexts(row) : row));
		}
		const kept = rowFields.simplified.filter((name) => !(forAgent && NOT_FOR_AGENTS.has(name)));
		return safely(pick(kept));
	});
}

/** Only rows that may echo a call's metadata are searched, because lists are long. */
function withoutMetadataUrl(row: IDataObject): IDataObject {
	const mayRepeat = 'metadata' in row || Object.values(row).some(isJsonObject);
	return mayRepeat ? withoutResumeUrl(row) : row;
}

function atLeastOne(names: string[]): string[] {
	if (names.length > 0) return names;
	throw new InvalidParameter('Fields', 'needs at least one field when Output is Selected Fields');
}

/** Lists are long: this loop takes a third of the time of Object.fromEntries. */
function pick(names: readonly string[]): ShapeRow {
	return (row) => {
		const picked: IDataObject = {};
		for (const name of names) {
			if (!Object.hasOwn(row, name)) continue;
			if (name === '__proto__') Object.defineProperty(picked, name, ownField(row[name]));
			else picked[name] = row[name];
		}
		return picked;
	};
}

/** As an ordinary field: assigning `__proto__` would set the prototype instead. */
function ownField(value: IDataObject[string]): PropertyDescriptor {
	return { value, enumerable: true, configurable: true, writable: true };
}

/** A placed call also contains the listed call, with the same texts. */
function withoutLongTexts(row: IDataObject): IDataObject {
	const kept = Object.entries(row).filter(([name]) => !NOT_FOR_AGENTS.has(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, isJsonObject(value) ? withoutLongTexts(value) : value]),
	);
}

/**
 * Returns a row's `error` as `serviceError`. n8n treats an item with `error` as failed and sends it
 * to the error output (n8n-core 2.41); older versions ran the node again.
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

/** "mcNumber" -> "MC Number", for the lists of fields. */
function humanName(field: string): string {
	return field
		.replace(/([A-Z])/g, ' $1')
		.split(' ')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.map((word) => ABBREVIATIONS[word] ?? word)
		.join(' ');
}
