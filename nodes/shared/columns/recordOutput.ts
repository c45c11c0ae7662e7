import { choice, type Choice } from '../fields/choice';
import type { Field } from '../fields/field';

/** "Output": how much of each record to return. @param more options besides these two */
export function recordOutput<More extends string = never>(
	about: { simplified?: string; all?: string } = {},
	initially: 'simplified' | 'all' = 'simplified',
	more: Array<Choice<More>> = [],
): Field<'simplified' | 'all' | NoInfer<More>> {
	const {
		simplified = 'The most useful fields, flat like a spreadsheet row',
		all = 'Everything the service sends',
	} = about;
	return choice<'simplified' | 'all' | More>({
		label: 'Output',
		choices: [
			{ name: 'Simplified', value: 'simplified', description: simplified },
			{ name: 'All Fields', value: 'all', description: all },
			...more,
		],
		default: initially,
		about: 'How much of each record to return',
	});
}
