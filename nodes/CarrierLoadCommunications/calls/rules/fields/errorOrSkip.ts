import { choice } from '../../../../shared/fields/choice';

/** For rules that need no expression: the editor then offers no value from an AI agent's model. */
export const fixed = { editor: { noDataExpression: true } };

/** What to do with an item that a rule refuses. */
export function errorOrSkip(options: { label: string; default: 'error' | 'skip'; about: string }) {
	return choice({
		...options,
		...fixed,
		choices: [
			{ name: 'Fail the Item', value: 'error' },
			{ name: 'Skip the Call', value: 'skip' },
		],
	});
}
