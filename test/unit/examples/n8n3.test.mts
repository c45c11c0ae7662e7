import { type Example, exampleWorkflows } from '../../../playground/demo/examples.mts';
import { isRecord, type JsonObject } from '../../../playground/n8n/rest.mts';
import { findingsForN8n3 } from '../support/n8n3/rules.mts';

const examples = exampleWorkflows();

const node = (type: string, typeVersion: number, parameters: JsonObject = {}, more = {}) => ({
	...{ id: type, name: type, type, typeVersion, parameters, ...more },
});
const base = (type: string, ...rest: [number, JsonObject?, object?]) =>
	node(`n8n-nodes-base.${type}`, ...rest);
const langchain = (type: string, ...rest: [number, JsonObject?]) =>
	node(`@n8n/n8n-nodes-langchain.${type}`, ...rest);

const SEVERAL_OUTPUTS = 'always-output-data-multi-output-v3';
const always = { alwaysOutputData: true };

/** What n8n 3 breaks, and the rule that finds it. */
const BROKEN: [rule: string | undefined, broken: ReturnType<typeof node>, settings?: JsonObject][] =
	[
		['execute-workflow-each-mode-v3', base('executeWorkflow', 1.2, { mode: 'each' })],
		['execute-workflow-source-modes-v3', base('executeWorkflow', 1.2, { source: 'localFile' })],
		['execute-workflow-source-modes-v3', base('executeWorkflow', 1.2, { source: 'url' })],
		['get-paired-item-v3', base('set', 3.4, { value: '={{ $getPairedItem() }}' })],
		[SEVERAL_OUTPUTS, base('if', 2.2, {}, always)],
		[SEVERAL_OUTPUTS, base('set', 3.4, {}, { ...always, onError: 'continueErrorOutput' })],
		[undefined, base('set', 3.4, {}, always)],
		['cron-removed-v3', base('cron', 1)],
		['removed-nodes-v3', base('orbit', 1)],
		['agent-node-version-v3', langchain('agent', 1.7)],
		['agent-removed-modes-v3', langchain('agent', 1.7, { agent: 'sqlAgent' })],
		['ai-transform-deprecated', base('aiTransform', 1)],
		['chat-trigger-embedded-json-v3', langchain('chatTrigger', 1.3, { mode: 'webhook' })],
		['gmail-trigger-version-v3', base('gmailTrigger', 1.2)],
		['caller-policy-any-removed-v3', base('set', 3.4), { callerPolicy: 'any' }],
	];

let found: Awaited<ReturnType<typeof findingsForN8n3>>;
beforeAll(async () => {
	const broken = BROKEN.map(([, one, settings]) => ({
		...{ name: one.name, nodes: [one] },
		...(settings && { settings }),
	}));
	found = await findingsForN8n3([...examples, ...broken]);
});

it("n8n's own rules for version 3 find each thing that it breaks", () => {
	const ids = found.findings
		.slice(examples.length)
		.map((findings) => findings.map((text) => text.split(':')[0]));
	expect(ids).toEqual(BROKEN.map(([rule]) => (rule === undefined ? [] : [rule])));
	// The others each name one removed node, as the rule about Cron does.
	const expected = BROKEN.map(([rule]) => rule);
	const others = found.rules.filter((id) => !expected.includes(id));
	expect(others.filter((id) => !id.endsWith('-removed-v3'))).toEqual([]);
	expect(found.rules.length).toBeGreaterThan(30);
});

it.each(examples.map(({ file }, nth) => ({ file, nth })))(
	"n8n's own rules for version 3 find nothing in the example $file",
	({ nth }) => {
		expect(found.findings[nth]).toEqual([]);
	},
);

/** What n8n 3's rules don't ask, and these examples do all the same. */
function findingsOfOurOwn({ nodes }: Pick<Example, 'nodes'>): string[] {
	return nodes.flatMap(({ type, name, typeVersion, parameters }) => {
		const { misfirePolicy } = isRecord(parameters) ? parameters : {};
		const isSchedule = type === 'n8n-nodes-base.scheduleTrigger';
		if (isSchedule && (Number(typeVersion) < 1.4 || misfirePolicy === undefined))
			return [`${String(name)} doesn't say what to do if an execution is missed`];
		if (type === 'n8n-nodes-base.spreadsheetFile')
			return [`${String(name)} isn't Extract from File`];
		if (type === 'n8n-nodes-base.executeWorkflow')
			return [`${String(name)} depends on another workflow's ID, which an import changes`];
		return [];
	});
}

it.each(examples)(
	'the example $file says what a missed schedule does, and reads files with Extract from File',
	(example) => {
		expect(findingsOfOurOwn(example)).toEqual([]);
	},
);

it('a sub-workflow, an old schedule, one without a misfire policy and a spreadsheet node are found', () => {
	const nodes = [
		node('n8n-nodes-base.executeWorkflow', 1.2),
		node('n8n-nodes-base.scheduleTrigger', 1.2),
		node('n8n-nodes-base.scheduleTrigger', 1.4),
		node('n8n-nodes-base.spreadsheetFile', 2),
	];
	expect(findingsOfOurOwn({ nodes })).toHaveLength(4);
});
