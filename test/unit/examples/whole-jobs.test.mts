import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { isRecord, textIn } from '../../../playground/n8n/rest.mts';
import { EXAMPLES } from '../../../playground/setup/paths.mts';

// What each whole job promises: short notes, short expressions, and calls only within the rules.

const JOBS = [
	...['jobs/appointment-confirmation.json', 'jobs/call-only-when-needed.json'],
	...['jobs/call-outcome-to-tms.json', 'jobs/check-calls-from-a-file.json'],
	'jobs/detention-clock.json',
	...['jobs/check-calls-from-a-google-sheet.json', 'jobs/error-workflow.json'],
	...['jobs/late-loads.json', 'jobs/manual-call-desk.json', 'jobs/opt-out-loop.json'],
	...['agent/read-only-mcp-server.json', 'check-calls-daily.json', 'new-bids-to-table.json'],
	...['jobs/tms-exports.json', 'jobs/tms-payloads.json'],
	...['excel-365', 'google-sheets', 'hubspot', 'slack'].map(
		(service) => `destinations/call-outcome-to-${service}.json`,
	),
];
const PLACES = ['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'];
const MOST_CHARACTERS = 200;
const MOST_WORDS = 100;

const jobs = exampleWorkflows().filter(({ file }) => JOBS.includes(file));
const parametersOf = (node: Record<string, unknown>) =>
	isRecord(node['parameters']) ? node['parameters'] : {};

/** What stands in braces in all texts of a value. */
function expressionsIn(value: unknown): string[] {
	if (typeof value === 'string')
		return value.startsWith('=') ? (value.match(/\{\{[\s\S]*?\}\}(?!\})/g) ?? []) : [];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(expressionsIn)
		: [];
}

it('are all there', () => {
	expect(jobs.map(({ file }) => file).toSorted()).toEqual(JOBS.toSorted());
});

describe.each(jobs)('the job $file', ({ file, nodes, settings }) => {
	it('has no expression over 200 characters, no Code node and no other settings', () => {
		const long = nodes
			.flatMap((node) => expressionsIn(parametersOf(node)))
			.filter((expression) => expression.length > MOST_CHARACTERS);
		expect(long).toEqual([]);
		expect(nodes.map((node) => textIn(node, 'type'))).not.toContain('n8n-nodes-base.code');
		expect(settings).toEqual({ executionOrder: 'v1' });
	});

	it('says in at most 100 words a note what it does', () => {
		const notes = nodes
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map((node) => textIn(parametersOf(node), 'content'));
		const words = notes.map((note) => note.match(/[\p{L}\d][^\s]*/gu)?.length ?? 0);
		expect(words.filter((count) => count > MOST_WORDS)).toEqual([]);
	});

	it('places calls only in hours, not to who is on the list, and not to one person all day', () => {
		const calling = nodes.filter((node) =>
			PLACES.includes(textIn(parametersOf(node), 'operation')),
		);
		for (const node of calling) {
			const { rules } = parametersOf(node);
			const given = isRecord(rules) ? rules : {};
			expect(Object.keys(given)).toEqual(expect.arrayContaining(['hours', 'maxCallsPerNumber']));
			const { range } = Object(given['hours']);
			expect(Object.keys(range)).toEqual(expect.arrayContaining(['from', 'to', 'zone']));
			// The rows themselves: an expression that picks a column hides one that was renamed.
			const list = /^=\{\{ \$\('([^']+)'\)\.all\(\) \}\}$/.exec(textIn(given, 'doNotCall'))?.[1];
			const table = nodes.find(({ name }) => name === list);
			expect(parametersOf(table ?? {})['dataTableId']).toMatchObject({ value: 'do_not_call' });
			expect(textIn(node, 'onError')).toMatch(/^continue/);
			expect(node['retryOnFail']).toBeUndefined();
		}
		const text = readFileSync(join(EXAMPLES, file), 'utf8');
		expect(calling.length === 0 || text.includes('calls_to_make_by_hand')).toBe(true);
	});
});

const examples = exampleWorkflows();
const typesOf = (name: string) => [`n8n-nodes-base.${name}`, `@n8n/n8n-nodes-langchain.${name}`];

it('every webhook, form and MCP server of an example asks who is there', () => {
	const doors = [...typesOf('webhook'), ...typesOf('formTrigger'), ...typesOf('mcpTrigger')];
	const open = examples.flatMap(({ file, nodes }) =>
		nodes
			.filter(({ type }) => doors.includes(String(type)))
			.filter((node) => !/Auth$/.test(textIn(parametersOf(node), 'authentication')))
			.map(({ name }) => `${file}: ${String(name)}`),
	);
	expect(open).toEqual([]);
});

it("every trigger of this package in an example asks the service's events who sent them", () => {
	const triggers = examples.flatMap(({ nodes }) =>
		nodes.filter(({ type }) =>
			textIn({ type }, 'type').endsWith('.carrierLoadCommunicationsTrigger'),
		),
	);
	expect(triggers.length).toBeGreaterThan(0);
	const given = triggers.map((node) => textIn(parametersOf(node), 'authentication'));
	expect(given).not.toContain('none');
});

/** What the editor's import from a file loses: nothing may depend on it. The board alone saves no data of its views. */
it('no example depends on settings that an import loses', () => {
	const others = examples.filter(
		({ settings }) => Object.keys(settings ?? {}).join() !== 'executionOrder',
	);
	expect(
		others.map(({ file, settings }) => [file, Object.keys(settings ?? {}).toSorted()]),
	).toEqual([['reports/call-board.json', ['executionOrder', 'saveDataSuccessExecution']]]);
});

it('no webhook of an example answers only after a call', () => {
	const late = examples.flatMap(({ file, nodes, connections }) => {
		const names = nodes
			.filter(({ type }) => typesOf('webhook').includes(String(type)))
			.map((node) => textIn(node, 'name'));
		const reached = new Set(names);
		for (const name of reached) {
			const outputs = Object(connections[name]).main ?? [];
			for (const { node } of outputs.flat()) reached.add(String(node));
		}
		return nodes
			.filter((node) => reached.has(textIn(node, 'name')))
			.filter((node) => PLACES.includes(textIn(parametersOf(node), 'operation')))
			.map(({ name }) => `${file}: ${String(name)}`);
	});
	expect(late).toEqual([]);
});

it('no example writes a file, which two runs would write at the same moment', () => {
	const writing = examples.flatMap(({ nodes }) =>
		nodes.filter(
			(node) =>
				typesOf('readWriteFile').includes(textIn(node, 'type')) &&
				textIn(parametersOf(node), 'operation') === 'write',
		),
	);
	expect(writing).toEqual([]);
});

/** Three nodes that call one's own phone, with the rules of a new node. */
const FIRST_CALL = 'first-call.json';
const callers = exampleWorkflows().flatMap(({ file, nodes }) =>
	nodes
		.filter((node) => PLACES.includes(textIn(parametersOf(node), 'operation')))
		.map((node) => [`${file}: ${textIn(node, 'name')}`, file, node] as const),
);

it.each(callers.filter(([, file]) => file !== FIRST_CALL))(
	'%s calls in set hours only, and no one on the shared do-not-call list',
	(_name, file, node) => {
		const rules = Object(parametersOf(node)['rules']);
		expect(Object.keys(Object(rules.hours?.range))).toEqual(expect.arrayContaining(['from', 'to']));
		const list = /\$\('([^']+)'\)\.all\(\)/.exec(String(rules.doNotCall))?.[1];
		const { nodes } = exampleWorkflows().find((one) => one.file === file) ?? { nodes: [] };
		const table = nodes.find(({ name }) => name === list);
		expect(JSON.stringify(table)).toContain('do_not_call');
	},
);
