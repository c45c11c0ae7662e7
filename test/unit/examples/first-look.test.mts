import { exampleWorkflows, MANUAL_WORKFLOW } from '../../../playground/demo/examples.mts';
import { FIRST_LOAD } from '../../../playground/demo/sample-check-call.mts';
import { recordsIn, textIn } from '../../../playground/n8n/rest.mts';

// What somebody sees who opens an example right after "npm start".

it.each(exampleWorkflows())(
	'$file leaves no type of a row empty, which the editor marks',
	(example) => {
		const rows = ['metadata', 'dynamicVariables'].flatMap((name) =>
			example.nodes.flatMap(({ parameters }) => recordsIn(Object(parameters)[name], 'entry')),
		);
		expect(rows.filter((row) => textIn(row, 'valueType') === '')).toEqual([]);
	},
);

it('the workflow to run by hand calls about another load than the sample check call, so it is not skipped', () => {
	const { nodes } = exampleWorkflows().find(({ id }) => id === MANUAL_WORKFLOW) ?? { nodes: [] };
	const numbers = nodes
		.filter(({ name }) => name === 'The load')
		.flatMap((node) => JSON.stringify(node).match(/"value":"(\d+)"/)?.[1] ?? []);
	expect(numbers).toHaveLength(1);
	// The sample's load counts up with each start.
	expect(Math.abs(Number(numbers[0]) - FIRST_LOAD)).toBeGreaterThan(1000);
});
