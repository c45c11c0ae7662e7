import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from './parameters';

/** A form field, declared once: how the editor shows it, and how its value is checked. */
export interface Field<Value> {
	properties(name: string): INodeProperties[];
	/**
	 * Returns the checked value of one item.
	 *
	 * @param name parameter name; `collection.name` inside a collection
	 * @throws InvalidParameter
	 */
	read(parameters: Parameters, name: string): Value;
	/** Whether it belongs to More Fields. */
	isAdditional?: true;
}

/** Fields by their parameter names, which workflows store. */
export type Declarations = Record<string, Field<unknown>>;

type ValueOf<Declared> = Declared extends Field<infer Value> ? Value : never;
export type ValuesOf<Declared extends Declarations> = {
	[Name in keyof Declared]: ValueOf<Declared[Name]>;
};

export function optional<Value>(field: Field<Value>): Field<Value> {
	return { ...field, isAdditional: true };
}

/** The same field with a converted value, such as minutes to milliseconds. */
export function convert<Value, Converted>(
	field: Field<Value>,
	turn: (value: Value) => Converted,
): Field<Converted> {
	return { ...field, read: (parameters, name) => turn(field.read(parameters, name)) };
}

/** Several fields that form one value, such as the two ends of a range. `combine` reads those it needs. */
export function group<Declared extends Declarations, Value>(
	declared: Declared,
	combine: (
		read: <Name extends keyof Declared & string>(name: Name) => ValuesOf<Declared>[Name],
		parameters: Parameters,
	) => Value,
): Field<Value> {
	return {
		properties: () => propertiesOf(declared),
		read: (parameters) =>
			combine(
				// Safe: each field returns the type of its declaration.
				(name) => declared[name]?.read(parameters, name) as ValuesOf<Declared>[typeof name],
				parameters,
			),
	};
}

export function propertiesOf(declared: Declarations): INodeProperties[] {
	return Object.entries(declared).flatMap(([name, field]) => field.properties(name));
}

/** @param nameOf where a field is stored, if not under its own name */
export function valuesOf<Declared extends Declarations>(
	parameters: Parameters,
	declared: Declared,
	nameOf: (name: string, field: Field<unknown>) => string = (name) => name,
): ValuesOf<Declared> {
	const values = Object.entries(declared).map(([name, field]) => [
		name,
		field.read(parameters, nameOf(name, field)),
	]);
	// Safe, as above: `fromEntries` loses the types.
	return Object.fromEntries(values) as ValuesOf<Declared>;
}
