import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { isRecord, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { n8nFolder, PACKAGE_NAME, ROOT } from '../../../playground/setup/paths.mts';
import { findingsForN8n3, REMOVED } from '../../support/n8n3.mts';

type Workflow = Pick<ReturnType<typeof exampleWorkflows>[number], 'name' | 'nodes' | 'settings'>;

const MODULES = join(n8nFolder(), 'node_modules');

/** How many outputs each installed node has, as its description says. */
function outputsOfNodes(): Record<string, unknown> {
	const packages = [
		['n8n-nodes-base', join(MODULES, 'n8n-nodes-base')],
		['@n8n/n8n-nodes-langchain', join(MODULES, '@n8n', 'n8n-nodes-langchain')],
	].map(([name = '', folder = '']) => {
		const described: unknown = JSON.parse(
			readFileSync(join(folder, 'dist', 'types', 'nodes.json'), 'utf8'),
		);
		return recordsIn(described).map((node) => [`${name}.${textIn(node, 'name')}`, node['outputs']]);
	});
	return Object.fromEntries([
		...packages.flat(),
		[`${PACKAGE_NAME}.carrierLoadCommunications`, ['main']],
	]);
}

/** Runs n8n's rules for 3.0 over workflows. */
function n8nsFindings(workflows: Workflow[]): { rules: string[]; findings: string[][] } {
	const script = join(ROOT, 'test', 'e2e', 'examples', 'support', 'breaking-changes.mjs');
	const n8n = join(MODULES, 'n8n', 'package.json');
	const input = JSON.stringify({ n8n, outputs: outputsOfNodes(), workflows });
	const output = execFileSync('node', [script], { input, encoding: 'utf8', timeout: 120_000 });
	const line = output.trim().split('\n').at(-1) ?? '';
	const read: unknown = JSON.parse(line);
	if (!isRecord(read)) throw new Error(output);
	return { rules: read['rules'] as string[], findings: read['findings'] as string[][] };
}

const examples = exampleWorkflows();

/** Rules that ask about settings, or about nodes that no example has. */
const NOT_IN_FAST_TESTS = [
	...['agent-removed-modes-v3', 'ai-transform-deprecated', 'caller-policy-any-removed-v3'],
	...['chat-trigger-embedded-json-v3', 'gmail-trigger-version-v3'],
];

/** One node for each thing that our own list knows. */
function nodesToFind() {
	const removed = Object.entries(REMOVED).flatMap(([name, types]) =>
		types.map((type) => ({ type: `${name}.${type}`, parameters: {} })),
	);
	const sub = 'n8n-nodes-base.executeWorkflow';
	const others = [
		{ type: sub, parameters: { mode: 'each' } },
		{ type: sub, parameters: { source: 'localFile' } },
		{ type: sub, parameters: { source: 'url' } },
		{ type: 'n8n-nodes-base.set', parameters: { value: '={{ $getPairedItem() }}' } },
		{ type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 1.7, parameters: {} },
		{ ...{ alwaysOutputData: true, onError: 'continueErrorOutput' }, type: 'n8n-nodes-base.set' },
	];
	return [...removed, ...others].map((node, nth) => ({
		...{ id: `node-${nth}`, name: `Node ${nth}`, typeVersion: 1, parameters: {}, ...node },
	}));
}

describe("n8n's rules for version 3", () => {
	it('find nothing in the examples', () => {
		const { rules, findings } = n8nsFindings(examples);
		expect(rules.length).toBeGreaterThan(30);
		const found = examples.map(({ file }, nth) => [file, findings[nth] ?? ['not checked']]);
		expect(found).toEqual(examples.map(({ file }) => [file, []]));
	});

	it('find the same as the fast tests, node by node', () => {
		const nodes = nodesToFind();
		const workflows = nodes.map((node) => ({ name: node.name, nodes: [node], settings: {} }));
		const { rules, findings } = n8nsFindings(workflows);
		const missed = nodes.filter((_, nth) => (findings[nth] ?? []).length === 0);
		expect(missed).toEqual([]);
		for (const node of nodes) expect(findingsForN8n3({ nodes: [node] })).toHaveLength(1);
		const silent = rules.filter((id) => !findings.flat().some((text) => text.startsWith(`${id}:`)));
		expect(silent).toEqual(NOT_IN_FAST_TESTS);
	});
});
