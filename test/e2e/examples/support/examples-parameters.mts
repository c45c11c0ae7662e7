import {
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { isRecord, recordsIn } from '../../../../playground/n8n/rest.mts';

/**
 * What a node in a workflow contains that its type doesn't know: parameters that don't exist or
 * aren't shown with the others, and values that are in no list. Each as "a.b.c".
 */
export function unknownParameters(node: INode, type: INodeTypeDescription): string[] {
	const whole = withDefaults(node, type) ?? {};
	const shown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(whole, property, node, type);
	const own = type.polling
		? Object.keys(node.parameters).filter((name) => name !== 'pollTimes')
		: undefined;
	return unknownIn(node.parameters, type.properties.filter(shown), '', own);
}

/** A node's parameters with defaults filled in, as in the editor. */
export function withDefaults(node: INode, type: INodeTypeDescription) {
	return NodeHelpers.getNodeParameters(type.properties, node.parameters, true, false, node, type);
}

function unknownIn(
	values: object,
	properties: readonly INodeProperties[],
	path: string,
	names = Object.keys(values),
): string[] {
	return names.flatMap((name) => {
		const place = `${path}${name}`;
		const property = properties.find((one) => one.name === name);
		const value: unknown = Object.entries(values).find(([key]) => key === name)?.[1];
		return property === undefined ? [place] : unknownValue(value, property, place);
	});
}

function unknownValue(value: unknown, property: INodeProperties, place: string): string[] {
	if (typeof value === 'string' && value.startsWith('=')) return [];
	const options = property.options ?? [];
	// The choices come from the service or the data table.
	if (property.typeOptions?.loadOptionsMethod !== undefined) return [];
	if (property.type === 'options' || property.type === 'multiOptions') {
		const known = options.flatMap((option) => ('value' in option ? [option.value] : []));
		const chosen: unknown[] = Array.isArray(value) ? value : [value];
		return chosen
			.filter((one) => !known.some((each) => each === one))
			.map((one) => `${place}: ${String(one)}`);
	}
	if (!isRecord(value)) return [];
	if (property.type === 'collection')
		return unknownIn(value, options.filter(isProperty), `${place}.`);
	if (property.type !== 'fixedCollection') return [];
	return Object.entries(value).flatMap(([group, entries]) => {
		const found = options.find((option) => option.name === group);
		if (found === undefined || !('values' in found)) return [`${place}.${group}`];
		return recordsIn(entries).flatMap((entry) =>
			unknownIn(entry, found.values, `${place}.${group}.`),
		);
	});
}

function isProperty(
	option: NonNullable<INodeProperties['options']>[number],
): option is INodeProperties {
	return 'type' in option;
}
