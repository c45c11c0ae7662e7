import {
	exampleWorkflows,
	FIRST_CALL_WORKFLOW,
	MANUAL_WORKFLOW,
	numbered,
} from '../../../playground/demo/examples.mts';
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

it('the first workflow of the playground is a call in three nodes', () => {
	const [first] = numbered(exampleWorkflows());
	expect(first).toMatchObject({ id: FIRST_CALL_WORKFLOW, tags: ['1 Start'] });
	const names = first?.nodes
		.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
		.map(({ name }) => name);
	expect(names).toEqual(['Run manually', 'Place check call', 'Result']);
});

it('each example is numbered once, and has one tag, in the order of the tags', () => {
	const examples = numbered(exampleWorkflows());
	expect(examples.map(({ id }) => id).sort()).toEqual(
		exampleWorkflows()
			.map(({ id }) => id)
			.sort(),
	);
	const tags = examples.flatMap(({ tags = [] }) => tags);
	expect(tags).toHaveLength(examples.length);
	expect(tags).toEqual(tags.toSorted());
	expect([...new Set(tags)]).toEqual([
		...['1 Start', '2 From your loads', '3 Outcomes to', '4 Jobs', '5 AI'],
	]);
});

it('the workflows to run by hand call about other loads than the sample check call, so they are not skipped', () => {
	const numbers = exampleWorkflows()
		.filter(({ id }) => [FIRST_CALL_WORKFLOW, MANUAL_WORKFLOW].includes(id))
		.flatMap(({ nodes }) =>
			nodes.filter(({ name }) => /^(The load|Place check call)$/.test(textIn({ name }, 'name'))),
		)
		.flatMap((node) => JSON.stringify(node).match(/(?:"value"|"loadNumber"):"(\d{5})"/)?.[1] ?? []);
	expect(new Set(numbers).size).toBe(2);
	// The sample's load counts up with each start.
	for (const number of numbers) {
		expect(Math.abs(Number(number) - FIRST_LOAD)).toBeGreaterThan(1000);
	}
});
