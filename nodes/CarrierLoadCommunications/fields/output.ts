import { choice, choices } from '../../shared/fields/choice';
import { group, type Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { NOT_FOR_AGENTS, pick, safeRow, withoutLongTexts, type ShapeRow } from './rowShape';

/** The fields that the service is known to return. */
export interface RowFields {
	/** What a dispatcher needs; returned by default. */
	simplified: readonly string[];
	more: readonly string[];
	/** Whether Simplified also keeps unknown fields. */
	keepUnknown?: boolean;
}

/** The chosen output, and how it converts a row to an item's JSON. */
export interface Output {
	level: 'simplified' | 'all' | 'selected';
	shape: ShapeRow;
}

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
		const safely = (shape: ShapeRow): Output => ({ level, shape: (row) => safeRow(shape(row)) });
		if (level === 'selected') return safely(pick(atLeastOne(read('selectedFields'))));
		if (level === 'all' || rowFields.keepUnknown) {
			return safely((row) => (forAgent ? withoutLongTexts(row) : row));
		}
		const kept = rowFields.simplified.filter((name) => !(forAgent && NOT_FOR_AGENTS.has(name)));
		return safely(pick(kept));
	});
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
