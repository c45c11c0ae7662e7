import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { propertiesOf } from './field';
import type { Declarations, Field, ValuesOf } from './fieldTypes';
import type { Parameters } from './parameters';
import { ADDITIONAL, ADDITIONAL_LABEL, readCollection, readFields } from './readCollection';

export interface Fields<Values> {
	properties: INodeProperties[];
	read(parameters: Parameters): Values;
}

/** Combines fields into a form. Optional ones are collected in More Fields, where the first is. */
export function fields<Declared extends Declarations>(
	declared: Declared,
): Fields<ValuesOf<Declared>> {
	const all = Object.entries(declared);
	const additional = Object.fromEntries(all.filter(([, field]) => field.isAdditional));
	const [first] = Object.keys(additional);
	const gathered = collection(ADDITIONAL_LABEL, 'Add Field', additional);
	return {
		properties: all.flatMap(([name, field]) => {
			if (name === first) return gathered.properties(ADDITIONAL);
			return field.isAdditional ? [] : field.properties(name);
		}),
		read: readFields(declared, additional),
	};
}

interface CollectionOptions {
	about?: string;
	/** The fields that a new node starts with, and a workflow that says nothing of them. */
	filled?: INodeParameters;
	inOrder?: boolean;
	propertyHint?: string;
	show?: Record<string, string[]>;
}

/** A collection such as "Options". One expression may give all of its fields. */
export function collection<Declared extends Declarations>(
	label: string,
	addLabel: string,
	declared: Declared,
	{ about, filled, inOrder = false, propertyHint, show }: CollectionOptions = {},
): Field<ValuesOf<Declared>> {
	const byLabel = (one: INodeProperties, other: INodeProperties) =>
		inOrder ? 0 : one.displayName.localeCompare(other.displayName);
	return {
		properties: (name) =>
			keptWhole({
				displayName: label,
				name,
				type: 'collection',
				placeholder: addLabel,
				default: { ...filled },
				...(show && { displayOptions: { show } }),
				...(about !== undefined && { description: about }),
				...(propertyHint !== undefined && { builderHint: { propertyHint } }),
				options: propertiesOf(declared).sort(byLabel),
			}),
		read: readCollection(label, declared),
	};
}

/**
 * A collection, and a hidden property of the same name below it. n8n silently drops all of a
 * collection that isn't one of its fields: one expression for the whole, or an unknown name
 * (n8n-workflow 2.41: `getNodeParameters`). The hidden property keeps them.
 */
export function keptWhole(property: INodeProperties): INodeProperties[] {
	const { displayName, name, displayOptions } = property;
	// Of the two defaults, n8n takes the last.
	const hidden = {
		...{ displayName, name, type: 'hidden' as const },
		default: { ...Object(property.default) },
	};
	return [property, { ...hidden, ...(displayOptions && { displayOptions }) }];
}
