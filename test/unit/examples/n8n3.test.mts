import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { findingsForN8n3, findingsOfOurOwn } from '../../support/n8n3.mts';

it.each(exampleWorkflows())('the example $file uses nothing that n8n 3 removes', (example) => {
	expect(findingsForN8n3(example)).toEqual([]);
});

it.each(exampleWorkflows())(
	'the example $file says what a missed schedule does, and reads files with Extract from File',
	(example) => {
		expect(findingsOfOurOwn(example)).toEqual([]);
	},
);

it('a sub-workflow for each item, an old schedule and a spreadsheet node are found', () => {
	const node = (type: string, typeVersion: number, parameters = {}) => ({
		...{ name: type, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
	});
	const nodes = [
		node('executeWorkflow', 1.2, { mode: 'each' }),
		node('scheduleTrigger', 1.2),
		node('scheduleTrigger', 1.4),
		node('spreadsheetFile', 2),
		node('cron', 1),
	];
	expect(findingsForN8n3({ nodes })).toHaveLength(2);
	expect(findingsOfOurOwn({ nodes })).toHaveLength(4);
});
