import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { join, resolve } from 'node:path';
import { CarrierLoadCommunications } from '../../../../nodes/CarrierLoadCommunications/CarrierLoadCommunications.node.ts';
import type { Operation } from '../../../../nodes/CarrierLoadCommunications/operations/operation.ts';
import { resources } from '../../../../nodes/CarrierLoadCommunications/resources/index.ts';

export const root = resolve(import.meta.dirname, '../../../..');
export const nodeFolder = join(root, 'nodes/CarrierLoadCommunications');
export const { description, methods } = new CarrierLoadCommunications();

/** The operations that ring a phone. All others only read. */
export const dialing = ['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'];

export interface Listed {
	resource: string;
	resourceName: string;
	operation: Operation;
}

/** Every operation of the node, with its resource. */
export const operations: Listed[] = resources.flatMap(({ name, value, operations }) =>
	operations.map((operation) => ({ resource: value, resourceName: name, operation })),
);

/** "call.getAll", for the names of tests. */
export const named: Array<[string, Listed]> = operations.map((listed) => [
	`${listed.resource}.${listed.operation.value}`,
	listed,
]);

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const isField = (option: Option): option is INodeProperties => 'type' in option;
const isCollection = (option: Option): option is INodePropertyCollection => 'values' in option;

/** A field and all fields inside it. */
export function withInner(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((option) => {
		if (isCollection(option)) return option.values.flatMap(withInner);
		return isField(option) ? withInner(option) : [];
	});
	return [field, ...inner];
}

/** The values that a dropdown offers. */
export const valuesOf = (field: INodeProperties): unknown[] =>
	(field.options ?? []).map((option) => ('value' in option ? option.value : undefined));
