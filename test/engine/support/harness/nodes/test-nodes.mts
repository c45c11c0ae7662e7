import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

// n8n's own nodes (n8n-nodes-base) are not a dependency of this package. These replace the few that
// test workflows need.

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

function part(
	name: string,
	execute: Execute,
	description: Partial<INodeTypeDescription> = {},
): [string, INodeType] {
	return [
		`testNodes.${name}`,
		{
			description: {
				displayName: `Test part: ${name}`,
				name,
				group: ['transform'],
				version: 1,
				description: 'A part of the tests',
				defaults: { name },
				inputs: ['main'],
				outputs: ['main'],
				properties: [],
				...description,
			},
			execute,
		},
	];
}

const passOn: Execute = async function () {
	return [this.getInputData()];
};

/** Adds `fields` (expressions resolved per item) to every item, like n8n's Set node. */
const setFields: Execute = async function () {
	return [
		this.getInputData().map((item, index) => ({
			json: { ...item.json, ...(this.getNodeParameter('fields', index, {}) as IDataObject) },
			pairedItem: { item: index },
		})),
	];
};

/** The first input's items, then the second's, like n8n's Merge node in append mode. */
const append: Execute = async function () {
	return [[...this.getInputData(0), ...this.getInputData(1)]];
};

/**
 * Items that meet the `condition` go to the first output, others to the second, like n8n's If node.
 */
const split: Execute = async function () {
	const outputs: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	for (const [index, item] of this.getInputData().entries()) {
		const holds = this.getNodeParameter('condition', index) === true;
		outputs[holds ? 0 : 1].push({ ...item, pairedItem: { item: index } });
	}
	return outputs;
};

/**
 * The second output gets the next `batchSize` items, the first all of them at the end, like Loop
 * Over Items.
 */
const loop: Execute = async function () {
	const state = this.getContext('node');
	const processed = (state.processed ?? []) as INodeExecutionData[];
	const first = state.left === undefined;
	const left = (state.left ?? this.getInputData()) as INodeExecutionData[];
	const size = this.getNodeParameter('batchSize', 0, 1) as number;
	state.processed = first ? [] : [...processed, ...this.getInputData()];
	state.left = left.slice(size);
	const batch = left.slice(0, size).map((item) => ({ ...item }));
	if (batch.length > 0) return [[], batch];
	return [state.processed as INodeExecutionData[], []];
};

interface Tool {
	name: string;
	description: string;
	invoke(args: IDataObject): Promise<unknown>;
}

/**
 * Calls its only tool with `toolArguments`, like an AI Agent node and its model. With a list of
 * them, it makes one call after another, even after an error, and returns the list of responses.
 */
const agent: Execute = async function () {
	const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
	if (!tool) throw new Error('No tool is connected');
	const requested = this.getNodeParameter('toolArguments', 0) as IDataObject | IDataObject[];
	const answer = Array.isArray(requested)
		? JSON.stringify(await answersOf(tool, requested))
		: await tool.invoke(requested);
	return [[{ json: { tool: tool.name, description: tool.description, answer: String(answer) } }]];
};

async function answersOf(tool: Tool, requests: IDataObject[]): Promise<string[]> {
	const answers: string[] = [];
	for (const request of requests) {
		const answer = await tool.invoke(request).catch((error: Error) => error.message);
		answers.push(String(answer));
	}
	return answers;
}

const json = { displayName: 'JSON', type: 'json' as const, default: '{}' };

/** Node types by their name in test workflows. */
export const testNodes: Record<string, INodeType> = Object.fromEntries([
	part('start', passOn, { group: ['trigger'], inputs: [] }),
	part('pass', passOn),
	part('set', setFields, { properties: [{ ...json, name: 'fields' }] }),
	part('append', append, { inputs: ['main', 'main'] }),
	part('split', split, {
		outputs: ['main', 'main'],
		properties: [{ displayName: 'Condition', name: 'condition', type: 'boolean', default: false }],
	}),
	part('loop', loop, {
		outputs: ['main', 'main'],
		properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
	}),
	part('agent', agent, {
		inputs: ['main', 'ai_tool'],
		properties: [{ ...json, name: 'toolArguments' }],
	}),
]);
