import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { isJsonObject, type JsonObject } from '../service/json';
import { propertiesOf, valuesOf, type Declarations, type Field, type ValuesOf } from './field';
import type { Parameters } from './parameters';
import { InvalidParameter } from './invalidParameter';

export interface Fields<Values> {
	properties: INodeProperties[];
	/** Reads all values of one item. @throws InvalidParameter for the first invalid one */
	read(parameters: Parameters): Values;
}

export const ADDITIONAL = 'additionalFields';
const ADDITIONAL_LABEL = 'More Fields';

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
		read(parameters) {
			if (first !== undefined) {
				refuseUnreadable(parameters, ADDITIONAL, ADDITIONAL_LABEL, additional);
			}
			return valuesOf(parameters, declared, (name, field) =>
				field.isAdditional ? `${ADDITIONAL}.${name}` : name,
			);
		},
	};
}

interface CollectionOptions {
	about?: string;
	/** The fields that a new node starts with, and a workflow that says nothing of them. */
	filled?: INodeParameters;
	/** Whether its fields are shown as declared, instead of sorted by label. */
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
		read(parameters, name) {
			refuseUnreadable(parameters, name, label, declared);
			return fieldsIn(parameters, name, declared);
		},
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

export function fieldsIn<Declared extends Declarations>(
	parameters: Parameters,
	collectionName: string,
	declared: Declared,
): ValuesOf<Declared> {
	return valuesOf(parameters, declared, (name) => `${collectionName}.${name}`);
}

/**
 * Refuses an expression for a whole collection that doesn't return a set of its fields: ignored, a
 * filter would leave a list unfiltered. An unknown field of the form is ignored: it may be left from
 * another operation, where the user can neither see nor remove it.
 *
 * @throws InvalidParameter
 */
export function refuseUnreadable(
	parameters: Parameters,
	name: string,
	label: string,
	declared: Declarations,
): void {
	if (!parameters.isExpression(name)) return;
	refuseUnknown(everythingIn(parameters, name, label), label, declared);
}

/** @throws InvalidParameter if a field isn't one of the collection's */
export function refuseUnknown(given: JsonObject, label: string, declared: object): void {
	const names = Object.keys(declared).sort();
	const unknown = Object.keys(given).find((name) => !names.includes(name));
	if (unknown === undefined) return;
	const known = names.join(', ');
	throw new InvalidParameter(label, `has no field "${unknown}"; the fields are ${known}`);
}

/**
 * Everything in an item's collection, including unknown fields.
 *
 * @throws InvalidParameter unless it is an object: anything else would be read as empty
 */
export function everythingIn(parameters: Parameters, name: string, label: string): JsonObject {
	const given = parameters.raw(name);
	// Hidden from an AI agent's tool, it is not there.
	if (given === undefined && parameters.node.parameters[name] === undefined) return {};
	if (isJsonObject(given)) return given;
	throw new InvalidParameter(label, 'must be an object', given ?? '');
}
