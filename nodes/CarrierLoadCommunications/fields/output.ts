import { recordOutput } from '../../shared/columns/recordOutput';
import { choices } from '../../shared/fields/choice';
import { group, type Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { inOrder, simplify, simplifyAll, type ShapeRow } from '../../shared/columns/columns';
import type { RecordFields } from '../../shared/columns/records';
import { NOT_FOR_AGENTS, pick, safely, withoutLongTexts } from './rowShape';

/** The chosen output, and how it converts a row to an item's JSON. */
export interface Output {
	level: Level;
	/** The fields of Selected Fields; empty otherwise. */
	selected: string[];
	shape: ShapeRow;
}

type Level = 'simplified' | 'all' | 'selected';

const SELECTED = {
	name: 'Selected Fields',
	value: 'selected',
	description: 'Only the fields you choose',
} as const;

/**
 * "Output" and, for Selected Fields, the list of fields. All Fields also returns fields unknown to
 * this package. Agents get the transcript only if Selected Fields names it.
 */
export function output(
	rowFields: RecordFields,
	about?: { simplified?: string; all?: string },
): Field<Output> {
	const declared = {
		output: recordOutput(about, 'simplified', [SELECTED]),
		selectedFields: choices({
			label: 'Fields',
			choices: [...inOrder(rowFields.simplified), ...rowFields.more].map((value) => ({
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
		const selected = level === 'selected' ? atLeastOne(read('selectedFields')) : [];
		const shape = shapeFor(rowFields, level, selected, forAgent);
		return { level, selected, shape };
	});
}

/** How a row becomes an item's JSON. Exported for a wait, which ends without the form. */
export function shapeFor(
	{ simplified, idName, keepUnknown }: RecordFields,
	level: Level,
	selected: string[],
	forAgent = false,
): ShapeRow {
	if (level === 'selected') return safely(pick(selected, idName));
	if (level === 'all') return safely((row) => (forAgent ? withoutLongTexts(row) : row));
	const kept = simplified.filter((name) => !(forAgent && NOT_FOR_AGENTS.has(name)));
	return safely((keepUnknown ? simplifyAll : simplify)(kept, idName));
}

export function isLevel(value: unknown): value is Level {
	return value === 'simplified' || value === 'all' || value === 'selected';
}

function atLeastOne(names: string[]): string[] {
	if (names.length > 0) return names;
	throw new InvalidParameter('Fields', 'needs at least one field when Output is Selected Fields');
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
