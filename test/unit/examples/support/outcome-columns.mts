import { type INode, type INodeType, type INodeTypes, Workflow } from 'n8n-workflow';
import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { readEvents } from '../../../../nodes/CarrierLoadCommunicationsTrigger/parse/readEvents.ts';

const READS = 'Read extracted data';
const COLUMNS = 'Outcome columns';

const anyNode: INodeType = {
	description: {
		...{ displayName: 'Set', name: 'set', group: [], version: 1, description: '' },
		...{ defaults: {}, inputs: ['main'], outputs: ['main'], properties: [] },
	},
};
const nodeTypes: INodeTypes = {
	getByName: () => anyNode,
	getByNameAndVersion: () => anyNode,
	getKnownTypes: () => ({}),
};
const node: INode = {
	...{ id: '1', name: 'Set', type: 'set', typeVersion: 1, position: [0, 0], parameters: {} },
};
const examples = exampleWorkflows();
const workflow = new Workflow({
	...{ nodes: [node], connections: {}, active: false, nodeTypes },
	settings: { timezone: 'America/Chicago' },
});

/** The two nodes of an example that turn an event into columns, as [name, type, expression]. */
export function columnNodes(id: string): { reads: string[][]; columns: string[][] } {
	const nodes = examples.find((one) => one.id === id)?.nodes ?? [];
	const assignmentsOf = (name: string) => {
		const parameters = nodes.find((one) => one['name'] === name)?.['parameters'];
		const assignments = isRecord(parameters) ? parameters['assignments'] : undefined;
		return recordsIn(assignments, 'assignments').map((one) =>
			['name', 'type', 'value'].map((key) => textIn(one, key)),
		);
	};
	return { reads: assignmentsOf(READS), columns: assignmentsOf(COLUMNS) };
}

/** The columns of each event in a body, as the trigger and the two nodes make them, by n8n's own expressions. */
export function outcomesOf(body: object, id: string): JsonObject[] {
	const { reads, columns } = columnNodes(id);
	const events = readEvents(body, '2026-11-20T14:05:00.000Z');
	if (!Array.isArray(events)) throw new Error(events.reason);
	const read = events.map(({ item }) => copied(item));
	const found = read.map((json, index) => ({ ...json, ...evaluate(reads, read, index) }));
	return found.map((_json, index) => evaluate(columns, found, index));
}

function evaluate(assignments: string[][], input: JsonObject[], index: number): JsonObject {
	const items = input.map((json) => ({ json: copied(json) }));
	const { expression } = workflow;
	const values = assignments.map(([name = '', , value = '']) => [
		name,
		expression.getParameterValue(value, null, 0, index, 'Set', items, 'manual', {}),
	]);
	return Object.fromEntries(values);
}

const copied = (json: object) => JSON.parse(JSON.stringify(json));
