import { choice } from '../fields/choice';

/** A trigger's "Output". @param all description of All Fields */
export const recordOutput = (all: string, initially: 'simplified' | 'all' = 'simplified') =>
	choice({
		label: 'Output',
		choices: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most useful fields, flat like a spreadsheet row',
			},
			{ name: 'All Fields', value: 'all', description: all },
		],
		default: initially,
		about: 'How much of each record to return',
	});
