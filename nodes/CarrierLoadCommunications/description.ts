import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from './operations/operation';

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

/** The subtitle: an expression with all labels, because it sees only the stored values. */
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
