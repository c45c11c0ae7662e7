import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation, Resource } from './operations/operation';

/**
 * The node's form: the resource, the operations of each resource, and each operation's fields,
 * shown for that resource and operation only.
 */
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
 * What stands below the node's name in the editor, as an expression: "Call: Place Check Call".
 * The expression holds the names, since it sees the chosen values only.
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

function operationProperty(resource: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: resource.operations.map(operationOption),
		default: firstValue(resource),
	};
}

/** A resource's first operation reads: a fresh node must not dial by default. */
function firstValue(resource: Resource): string {
	return resource.operations[0]?.value ?? '';
}

function operationOption({ name, value, action, description }: Operation): INodePropertyOptions {
	return { name, value, action, description };
}

function showFor(
	resource: Resource,
	operation: Operation,
	field: INodeProperties,
): INodeProperties {
	const { show, ...otherDisplayOptions } = field.displayOptions ?? {};
	return {
		...field,
		displayOptions: {
			...otherDisplayOptions,
			show: { ...show, resource: [resource.value], operation: [operation.value] },
		},
	};
}
