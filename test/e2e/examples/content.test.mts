import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type INode, type INodeType, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { exampleTables, exampleWorkflows } from '../../../playground/demo/examples.mts';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	OUTCOME_WORKFLOW,
} from '../../../playground/demo/sample-check-call.mts';
import { isRecord, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { EXAMPLES, PACKAGE_NAME, ROOT } from '../../../playground/setup/paths.mts';
import { unknownParameters, withDefaults } from './support/examples-parameters.mts';

const require = createRequire(join(ROOT, 'package.json'));
const manifest = require('./package.json') as { n8n: { nodes: string[] } };
const descriptions = new Map<string, INodeTypeDescription>(
	manifest.n8n.nodes.map((file) => {
		const exported = require(join(ROOT, file)) as Record<string, new () => INodeType>;
		const type = exported[basename(file, '.node.js')];
		if (type === undefined) throw new Error(`${file} exports no node`);
		const { description } = new type();
		return [`${PACKAGE_NAME}.${description.name}`, description];
	}),
);
/** The action node as an agent's tool has the same parameters. */
const TOOL = `${PACKAGE_NAME}.carrierLoadCommunicationsTool`;
const action = descriptions.get(`${PACKAGE_NAME}.carrierLoadCommunications`);
if (action) descriptions.set(TOOL, action);

/** Nodes that need neither a credential nor the internet. */
const SELF_SUFFICIENT = [
	...['manualTrigger', 'scheduleTrigger', 'webhook', 'set', 'if', 'filter', 'splitInBatches'],
	...['noOp', 'dataTable', 'stickyNote', 'wait', 'merge', 'code', 'respondToWebhook', 'emailSend'],
	...['readWriteFile', 'extractFromFile', 'convertToFile', 'emailReadImap', 'switch', 'sort'],
	...['splitOut', 'removeDuplicates', 'renameKeys', 'formTrigger', 'form', 'errorTrigger'],
	'summarize',
].map((name) => `n8n-nodes-base.${name}`);
/** The services that the examples in destinations/ write to. */
const DESTINATIONS = [...['googleSheets', 'microsoftExcel', 'hubspot', 'slack']].map(
	(name) => `n8n-nodes-base.${name}`,
);
/** The services that whole jobs can use: a sheet, messages, the TMS, n8n itself. */
const JOBS = ['googleSheets', 'microsoftTeams', 'slack', 'httpRequest', 'n8n'].map(
	(name) => `n8n-nodes-base.${name}`,
);
/** The nodes of agents and models, which need an account. */
const AGENT = [
	...[
		'agent',
		'chatTrigger',
		'chat',
		'chatHitlTool',
		'lmChatOpenAi',
		'memoryBufferWindow',
		'mcpTrigger',
	].map((name) => `@n8n/n8n-nodes-langchain.${name}`),
];
const DIALS = ['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'];
/** By type, the only credentials that examples name. */
const CREDENTIALS: Record<string, string> = {
	carrierLoadCommunicationsApi: 'Carrier Load Communications (sandbox)',
	httpBasicAuth: 'Call board login',
	openAiApi: 'Language model',
	httpHeaderAuth: 'TMS webhook key (sandbox)',
	carrierLoadCommunicationsWebhookApi: 'Carrier Load Communications webhook',
	googleSheetsOAuth2Api: 'Google Sheets account',
	microsoftExcelOAuth2Api: 'Microsoft Excel account',
	microsoftTeamsOAuth2Api: 'Microsoft Teams account',
	hubspotAppToken: 'HubSpot app token',
	slackApi: 'Slack bot token',
	imap: 'TMS export mailbox',
	n8nApi: 'n8n API key',
};
const STICKY = 'n8n-nodes-base.stickyNote';

const examples = exampleWorkflows().map((example) => ({
	...example,
	nodes: example.nodes as unknown as INode[],
}));
const files = globSync('**/*.json', { cwd: EXAMPLES });
const ours = (nodes: INode[]) => nodes.filter(({ type }) => descriptions.has(type));
const dialsIn = (nodes: INode[]) =>
	ours(nodes).filter(({ parameters }) => DIALS.includes(String(parameters['operation'])));
const columnsOf = (table: unknown) =>
	exampleTables()
		.find(({ name }) => name === table)
		?.columns.map(({ name }) => name);

describe.each(files)('the file examples/%s', (file) => {
	const text = readFileSync(join(EXAMPLES, file), 'utf8');

	it('contains only fictional phone numbers (555-0100 to 555-0199)', () => {
		const withoutDates = text.replace(/\d{4}-\d\d-\d\d/g, '');
		const numbers = withoutDates.match(/\+?\d[\d ().-]{8,}\d/g) ?? [];
		const digits = numbers.map((number) => number.replace(/\D/g, ''));
		expect(digits.filter((number) => !/^1?\d{3}55501\d\d$/.test(number))).toEqual([]);
	});

	it('contains no host and no token', () => {
		expect(text).not.toMatch(/https?:|\b[\w-]+\.(com|net|org|io|ai|dev)\b/i);
		expect(text).not.toMatch(/bearer |-token\b|"accessToken":|[\da-f]{32}|eyJ/i);
	});
});

describe.each(examples)(
	'the example $name',
	({ file, id, name, nodes, connections, active: isActive }) => {
		it('uses only nodes that need no other account and no internet, but for a destination or a language model', () => {
			const enabled = nodes.filter(({ disabled }) => disabled !== true);
			const types = enabled.map(({ type }) => type).filter((type) => !descriptions.has(type));
			const [folder] = file.split('/');
			const others = { destinations: DESTINATIONS, agent: AGENT, jobs: JOBS }[String(folder)] ?? [];
			const known = [...SELF_SUFFICIENT, ...others];
			expect(types.filter((type) => !known.includes(type))).toEqual([]);
		});

		it('names the credentials it needs, without an ID', () => {
			const used = nodes.flatMap(({ credentials = {} }) => Object.entries(credentials));
			for (const [type, credential] of used) {
				expect(credential).toEqual({ id: null, name: CREDENTIALS[type] });
			}
		});

		it("sets only parameters and values that this package's nodes have", () => {
			const unknown = ours(nodes).flatMap((node) => {
				const type = descriptions.get(node.type);
				return type === undefined ? [] : unknownParameters(node, type);
			});
			expect(unknown).toEqual([]);
		});

		it('leaves no required parameter empty', () => {
			for (const node of ours(nodes)) {
				const type = descriptions.get(node.type);
				const parameters = type && withDefaults(node, type);
				const whole = { ...node, ...(parameters && { parameters }) };
				const properties = type?.properties ?? [];
				expect(NodeHelpers.getNodeParametersIssues(properties, whole, type ?? null)).toBeNull();
			}
		});

		it('is imported inactive unless it is part of the sample check call, or only shows it', () => {
			const active = [INBOX_WORKFLOW, CALLING_WORKFLOW, OUTCOME_WORKFLOW, 'callBoard'];
			expect(isActive).toBe(active.includes(id));
		});

		it('explains on a note what it does, and whether it places calls', () => {
			const notes = nodes.filter(({ type }) => type === STICKY);
			const texts = notes.map(({ parameters }) => String(parameters['content']));
			expect(texts.some((text) => text.startsWith('## '))).toBe(true);
			const warns = texts.some((text) => /real phone|this places (a )?calls?/i.test(text));
			expect(warns).toBe(dialsIn(nodes).length > 0);
		});

		it('names every node, and connects only nodes that exist', () => {
			const names = nodes.map((node) => node.name);
			expect(new Set(names).size).toBe(names.length);
			expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
			const targets = Object.values(connections).flatMap((outputs) =>
				recordsIn([outputs, ...(isRecord(outputs) ? Object.values(outputs) : [])].flat(3)),
			);
			const linked = targets
				.map((target) => textIn(target, 'node'))
				.filter((target) => target !== '');
			expect(
				[...Object.keys(connections), ...linked].filter((one) => !names.includes(one)),
			).toEqual([]);
			expect(linked.length).toBeGreaterThan(0);
		});

		it('never repeats a call with Retry On Fail', () => {
			expect(dialsIn(nodes).filter(({ retryOnFail }) => retryOnFail)).toEqual([]);
		});

		it('reads and writes only columns that exist in its data tables', () => {
			for (const { type, parameters } of nodes) {
				if (type !== 'n8n-nodes-base.dataTable' || parameters['resource'] === 'table') continue;
				const columns = columnsOf(textIn(parameters['dataTableId'], 'value'));
				const mapped = valueOf(parameters['columns']);
				const conditions = isRecord(parameters['filters']) ? parameters['filters'] : {};
				const used = recordsIn(conditions, 'conditions').map((one) => textIn(one, 'keyName'));
				const known = ['id', 'createdAt', 'updatedAt', ...(columns ?? [])];
				expect([...Object.keys(mapped), ...used].filter((one) => !known.includes(one))).toEqual([]);
				expect(columns).toBeDefined();
			}
		});

		it('is laid out without overlaps', () => {
			const boxes = nodes.map(boxOf);
			const pairs = boxes.flatMap((box, nth) =>
				boxes.slice(nth + 1).map((other) => [box, other] as const),
			);
			const overlaps = pairs.filter(([one, other]) => touch(one, other));
			expect(overlaps.map(([one, other]) => `${one.name} / ${other.name}`)).toEqual([]);
			expect(name).not.toBe('');
		});
	},
);

describe('the examples together', () => {
	it('use every operation of the action node', () => {
		const operations = [...descriptions.values()].flatMap(({ properties }) =>
			properties
				.filter((property) => property.name === 'operation')
				.flatMap(({ displayOptions, options = [] }) =>
					options.map(
						(option) =>
							`${String(displayOptions?.show?.['resource']?.[0])}.${'value' in option ? String(option.value) : ''}`,
					),
				),
		);
		const used = examples
			.flatMap(({ nodes }) => ours(nodes))
			.map(
				({ parameters }) => `${String(parameters['resource'])}.${String(parameters['operation'])}`,
			);
		expect(operations.length).toBeGreaterThan(9);
		expect(operations.filter((operation) => !used.includes(operation))).toEqual([]);
	});

	it('have each data table created by "Create the tables", with its columns', () => {
		const creating = examples.find(({ id }) => id === 'createTheTables')?.nodes ?? [];
		const created = creating
			.filter(({ parameters }) => parameters['resource'] === 'table')
			.map(({ parameters }) => ({
				name: parameters['tableName'],
				columns: recordsIn(parameters['columns'], 'column'),
			}));
		const wanted = exampleTables().map(({ name, columns }) => ({ name, columns }));
		expect(created).toEqual(wanted);
	});

	// n8n's Data Table node finds a table by a part of its name and takes the first.
	it('have no table whose name contains the name of another', () => {
		const names = exampleTables().map(({ name }) => name);
		const mistaken = names.filter((name) =>
			names.some((other) => other !== name && other.includes(name)),
		);
		expect(mistaken).toEqual([]);
	});

	it('use every node of the package', () => {
		const used = examples.flatMap(({ nodes }) => nodes.map(({ type }) => type));
		expect([...descriptions.keys()].filter((type) => !used.includes(type))).toEqual([]);
	});
});

function valueOf(mapper: unknown): object {
	const value = isRecord(mapper) ? mapper['value'] : undefined;
	return isRecord(value) ? value : {};
}

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/**
 * The space that a node takes on the canvas, with its name below it. A note has the size it states.
 */
function boxOf({ name, type, position: [x, y], parameters }: INode): Box {
	if (type !== STICKY) return { name, left: x - 30, top: y, right: x + 126, bottom: y + 140 };
	const { width, height } = parameters;
	return { name, left: x, top: y, right: x + Number(width), bottom: y + Number(height) };
}

function touch(one: Box, other: Box): boolean {
	const besides = one.right < other.left || other.right < one.left;
	return !besides && one.top < other.bottom && other.top < one.bottom;
}
