import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	CALLING_WORKFLOW,
	exampleTables,
	exampleWorkflows,
	FIRST_CALL_WORKFLOW,
	FIRST_WORKFLOW,
	INBOX_WORKFLOW,
	numbered,
} from '../../../playground/demo/examples.mts';
import { FIRST_LOAD, sampleEvent } from '../../../playground/demo/sample-check-call.mts';
import { recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { EXAMPLES, ROOT } from '../../../playground/setup/paths.mts';

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

const namesIn = (id: string) =>
	exampleWorkflows()
		.find((example) => example.id === id)
		?.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
		.map(({ name }) => name);

it('the first workflow of the playground has no node that calls, and ends in a message', () => {
	const [first] = numbered(exampleWorkflows());
	expect(first).toMatchObject({ id: FIRST_WORKFLOW, tags: ['1 Start'] });
	expect(first?.name).toMatch(/^1 · Start here: New bids/);
	expect(namesIn(FIRST_WORKFLOW)).toEqual([
		...['New bid', 'Save the bid', 'In words', 'Post to Slack'],
	]);
	const operations = first?.nodes.map(({ parameters }) => textIn(Object(parameters), 'operation'));
	expect(operations?.join(' ')).not.toMatch(/trigger\w*Call|createAgentCall/);
	const chat = first?.nodes.find(({ name }) => name === 'Post to Slack');
	expect(chat).toMatchObject({ disabled: true });
});

it('the next ones are the daily calls, which have a dry run, a call in three nodes, and the TMS event', () => {
	const ids = numbered(exampleWorkflows()).map(({ id }) => id);
	expect(ids.slice(1, 5)).toEqual([
		...['checkCallsDaily', FIRST_CALL_WORKFLOW, INBOX_WORKFLOW, CALLING_WORKFLOW],
	]);
	expect(namesIn('checkCallsDaily')?.[0]).toBe('Dry run');
	expect(namesIn(FIRST_CALL_WORKFLOW)).toEqual(['Run manually', 'Place check call', 'Result']);
});

it('the note of the daily calls says where to choose the dry run: the button itself starts the schedule', () => {
	const daily = exampleWorkflows().find(({ id }) => id === 'checkCallsDaily');
	const [note] = daily?.nodes.map(({ parameters }) => textIn(Object(parameters), 'content')) ?? [];
	expect(note).toContain('Click the arrow at **Execute workflow**, choose **Dry run**');
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

it('the first call is about another load than the sample check call, so it is not skipped', () => {
	const first = exampleWorkflows().find(({ id }) => id === FIRST_CALL_WORKFLOW);
	const number = /"loadNumber":"(\d{5})"/.exec(JSON.stringify(first?.nodes))?.[1];
	// The sample's load counts up with each start.
	expect(Math.abs(Number(number) - FIRST_LOAD)).toBeGreaterThan(1000);
});

it("the sandbox's page sends events of a driver whom no other step calls: three calls a day are the most", () => {
	const numberIn = (text: string) => text.replace(/\D/g, '').slice(-10);
	const page = readFileSync(join(ROOT, 'sandbox/page/index.html'), 'utf8');
	const driver = numberIn(/name="driverPhone"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? '');
	expect(driver).toMatch(/^\d{3}55501\d{2}$/);
	const others = [
		readFileSync(join(EXAMPLES, 'sample-files', 'loads-to-call.csv'), 'utf8'),
		readFileSync(join(EXAMPLES, 'sample-files', 'loads-sheet.csv'), 'utf8'),
		...exampleWorkflows().map(({ nodes }) => JSON.stringify(nodes)),
		...exampleTables().map(({ rows }) => JSON.stringify(rows)),
		sampleEvent(String(FIRST_LOAD)).driver.phone,
	].join(' ');
	const called = [...others.matchAll(/\(?\d{3}\)?[ .-]?555[ .-]?01\d{2}/g)].map(([phone]) =>
		numberIn(phone),
	);
	expect(called).toContain('8155550142');
	expect(called).not.toContain(driver);
});
