import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { textIn } from '../../../playground/n8n/rest.mts';
import { neededCredentials } from '../../support/needed-credentials.mts';

// How many clicks lead from an imported file to its first run, as its note says. What is typed or pasted (a phone number,
// the link of a sheet) is no click.

const MOST_CLICKS = 6;
/** "Execute workflow" in "Create the tables". */
const TABLES = 1;
/**
 * Opening the list of credentials in one node, and choosing. n8n's editor gives the same credential to all other nodes
 * that name it or need one of its type (test/e2e/examples/import.test.mts).
 */
const CREDENTIAL = 2;
/** "Execute workflow" or "Publish". */
const RUN = 1;

const examples = exampleWorkflows().map((example) => {
	const { id, nodes } = example;
	const note = nodes
		.map((node) => textIn(Object(node['parameters']), 'content'))
		.find((text) => text.startsWith('## '));
	const usesTables = nodes.some(({ type }) => type === 'n8n-nodes-base.dataTable');
	const credentials = new Set(nodes.flatMap(neededCredentials));
	const own = credentials.size * CREDENTIAL + RUN;
	const clicks = id === 'createTheTables' ? RUN : own + (usesTables ? TABLES : 0);
	return { ...example, note, clicks };
});

it.each(examples)('the note of $file counts $clicks clicks, of at most 6', ({ note, clicks }) => {
	const [, counted] = /\*\*Set up\*\* \((\d+) clicks?[,)]/.exec(note ?? '') ?? [];
	expect(Number(counted)).toBe(clicks);
	expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

it('a calling workflow with tables takes four clicks, one with a second account six', () => {
	const clicksOf = (id: string) => examples.find((example) => example.id === id)?.clicks;
	expect([clicksOf('checkCallsDaily'), clicksOf('callOutcomeToSlack')]).toEqual([4, 6]);
});
