import { type INode, type INodeParameters } from 'n8n-workflow';
import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { unknownParameters } from './support/examples-parameters.mts';
import { describeN8nNode } from './support/n8n-nodes.mts';

const STICKY = 'n8n-nodes-base.stickyNote';

/** What n8n asks of the overview note of a workflow in its template gallery. */
const PARTS = ['Who it is for', 'How it works', 'Set up', 'What it needs', 'To adapt'];

/** n8n's nodes for services that can fail while n8n itself works. */
const SERVICES = [
	...['googleSheets', 'microsoftExcel', 'microsoftTeams', 'hubspot', 'salesforce', 'slack'],
	...['postgres', 'httpRequest'],
].map((name) => `n8n-nodes-base.${name}`);

const examples = exampleWorkflows().map((example) => ({
	...example,
	nodes: example.nodes as unknown as INode[],
}));

describe.each(examples)('the example $file', ({ description, nodes, connections }) => {
	const notes = nodes
		.filter(({ type }) => type === STICKY)
		.map(({ parameters }) => String(parameters['content']));

	it('has a description for the gallery', () => {
		expect(description).toMatch(/^[A-Z].{40,250}\.$/);
	});

	it('has one overview note with all that the gallery asks for, and notes for its parts', () => {
		const overviews = notes.filter((text) => text.startsWith('## '));
		expect(overviews).toHaveLength(1);
		const missing = PARTS.filter(
			(part) => !new RegExp(`\\*\\*(${part}):?\\*\\*`).test(String(overviews)),
		);
		expect(missing).toEqual([]);
		expect(notes.length).toBeGreaterThan(1);
	});

	it('has notes that are large enough for their text', () => {
		const full = nodes
			.filter(({ type }) => type === STICKY)
			.filter(({ parameters }) => isTooSmall(parameters));
		expect(full.map(({ name }) => name)).toEqual([]);
	});

	it('has notes of at most 100 words', () => {
		const counts = notes.map((text) => text.split(/\s+/).filter((word) => word !== '').length);
		expect(counts.filter((words) => words > 100)).toEqual([]);
	});

	it('has no expression of more than 200 characters', () => {
		const long = nodes
			.filter(({ type }) => type !== STICKY)
			.filter(({ parameters }) =>
				textsIn(parameters).some((text) => text.startsWith('=') && text.length > 200),
			);
		expect(long.map(({ name }) => name)).toEqual([]);
	});

	it('spreads no object in an expression, which n8n 2.0.0 can not evaluate', () => {
		const spread = nodes.filter(({ parameters }) =>
			textsIn(parameters).some((text) => /^=.*\{ *\.\.\./s.test(text)),
		);
		expect(spread.map(({ name }) => name)).toEqual([]);
	});

	it('has no Code node that returns anything but a page or an email', () => {
		const returned = nodes
			.filter(({ type }) => type === 'n8n-nodes-base.code')
			.map(({ parameters }) => String(parameters['jsCode']).trim().split('\n').at(-1));
		const fields = /^return \[\{ json: \{ (subject: .*, )?html(, text: .*)? \} \}\];$/;
		expect(returned.filter((line) => !fields.test(String(line)))).toEqual([]);
	});

	it('leaves no error output unconnected, and no decision without a branch', () => {
		const isOpen = (node: INode, outputs: number[]) =>
			outputs.every((output) => targetsOf(connections, node.name, output) === 0);
		const ends = nodes.filter((node) => {
			const isDecision = node.type === 'n8n-nodes-base.if';
			const hasErrors = node.onError === 'continueErrorOutput';
			return (
				(isDecision && isOpen(node, [0, 1])) || (hasErrors && isOpen(node, [isDecision ? 2 : 1]))
			);
		});
		expect(ends.map(({ name }) => name)).toEqual([]);
	});

	it("continues when a node for another company's service fails", () => {
		const without = nodes.filter(
			({ type, onError = 'stopWorkflow' }) => SERVICES.includes(type) && onError === 'stopWorkflow',
		);
		expect(without.map(({ name }) => name)).toEqual([]);
	});

	it("sets only parameters that n8n's own nodes have", () => {
		const unknown = nodes
			.filter(({ type }) => type.startsWith('n8n-nodes-base.') && type !== STICKY)
			.flatMap((node) =>
				unknownParameters(node, describeN8nNode(node.type, node.typeVersion)).map(
					(parameter) => `${node.name}: ${parameter}`,
				),
			);
		expect(unknown).toEqual([]);
	});

	it('names each node for what it does there', () => {
		const left = nodes.filter(({ name }) =>
			/^(Edit Fields|If|Set|Merge|Code|Switch|Data Table|HTTP Request|Sticky Note|Loop Over Items)\d*$/i.test(
				name,
			),
		);
		expect(left.map(({ name }) => name)).toEqual([]);
	});
});

/** All texts in a node's parameters, at any depth. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function targetsOf(connections: JsonObject, node: string, output: number): number {
	const outputs = isRecord(connections[node]) ? connections[node]['main'] : [];
	const targets: unknown = Array.isArray(outputs) ? outputs[output] : [];
	return recordsIn(targets).filter((target) => textIn(target, 'node') !== '').length;
}

/** By rough measure: lines of 14 px text in the width that a note states. */
function isTooSmall({ content, width, height }: INodeParameters): boolean {
	const perLine = (Number(width) - 40) / 6.8;
	const lines = String(content)
		.split('\n')
		.map((line) => (line === '' ? 0.5 : Math.ceil(line.replace(/[*`]/g, '').length / perLine)));
	return lines.reduce((sum, count) => sum + count, 0) * 19 > Number(height) - 20;
}
