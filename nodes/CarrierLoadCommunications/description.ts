import type { IBuilderHint, INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from './operations/operation';

const TYPE = 'n8n-nodes-carrier-load-communications.carrierLoadCommunications';

/** What n8n's assistant and its MCP server tell a model that searches for nodes (n8n 2.41: `node-catalog.service.js`). */
export const builderHint: IBuilderHint = {
	searchHint:
		'The operations that begin with "Place" call a real phone. Set Safety on each of them (rules: hours, do-not-call list, limits, Skip If Called Within), and leave Mode on Dry Run until a person sets it to Live. For an AI agent, put a human review tool between the agent and the call. All other operations only read.',
	relatedNodes: [
		{
			nodeType: `${TYPE}Trigger`,
			relationHint: "Starts a workflow with a call's outcome, or resumes one that waits for it",
		},
		{
			nodeType: `${TYPE}PollingTrigger`,
			relationHint: 'Starts a workflow with new outcomes if the service sends no webhooks',
		},
	],
};

export function nodeProperties(resources: Resource[]): INodeProperties[] {
	return [
		resourceProperty(resources),
		...resources.map(operationProperty),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) =>
				operation.fields.map((field) => showFor(resource, operation, field)),
			),
		),
	];
}

/**
 * The node's subtitle in the editor, as an expression: "Call: Place Check Call". It contains all
 * labels, because the expression sees only the stored values.
 */
export function nodeSubtitle(resources: Resource[]): string {
	const names = resources.flatMap((resource) =>
		resource.operations.map((operation) => [
			`${resource.value}.${operation.value}`,
			`${resource.name}: ${operation.name}`,
		]),
	);
	const byChoice = JSON.stringify(Object.fromEntries(names));
	return `={{ (${byChoice})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

function resourceProperty(resources: Resource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'call',
	};
}

function operationProperty({ value: resource, operations }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			...{ name, value, action, description },
		})),
		default: firstOf(operations),
	};
}

/** It only reads, so that a new node doesn't place calls by default. */
function firstOf([first]: Operation[]): string {
	return first?.value ?? '';
}

function showFor(resource: Resource, operation: Operation, field: INodeProperties) {
	const { show, ...others } = field.displayOptions ?? {};
	// First: n8n 2.41 shows a field as soon as it comes to a rule about a field that is an expression, and
	// would require Start of another operation.
	const first = { resource: [resource.value], operation: [operation.value] };
	return { ...field, displayOptions: { ...others, show: { ...first, ...show } } };
}
