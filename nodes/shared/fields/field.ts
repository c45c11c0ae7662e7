import type { INodeProperties } from 'n8n-workflow';

import type { Field, Declarations, ValuesOf } from './fieldTypes';
import type { Parameters } from './parameters';

export function optional<Value>(field: Field<Value>): Field<Value> {
	return { ...field, isAdditional: true };
}

/** The same field with a converted value, such as minutes to milliseconds. */
export function convert<Value, Converted>(field: Field<Value>, turn: (value: Value) => Converted) {
	const read: Field<Converted>['read'] = (parameters, name) => turn(field.read(parameters, name));
	return { ...field, read };
}

/** The same for a field that may be empty, which stays so. */
export function convertGiven<Value, Converted>(
	field: Field<Value | undefined>,
	turn: (value: Value) => Converted,
): Field<Converted | undefined> {
	return convert(field, (value) => (value === undefined ? undefined : turn(value)));
}

/** The same field, checked here, for a value that is used with another one. */
export function withoutValue(field: Field<unknown>): Field<undefined> {
	return convert(field, () => undefined);
}

/** A field that counts only while a switch is off. */
export function unless<Value>(
	flagName: string,
	flag: Field<boolean>,
	field: Field<Value>,
): Field<Value | undefined> {
	return {
		properties: (name) => [...flag.properties(flagName), ...field.properties(name)],
		read: (parameters, name) =>
			flag.read(parameters, flagName) ? undefined : field.read(parameters, name),
	};
}

/** A field of the form whose value is read in another way: an expression may give what the form can't. */
export function readAs<Value>(shown: Field<unknown>, { read }: Pick<Field<Value>, 'read'>) {
	return { ...shown, read };
}

/** The same field, undefined unless the user has added it. */
export function ifAdded<Value>(field: Field<Value>): Field<Value | undefined> {
	const read = (parameters: Parameters, name: string) =>
		parameters.raw(name) === undefined ? undefined : field.read(parameters, name);
	return { ...field, read };
}

/** What a field has, unchecked. */
export const unchecked: Pick<Field<unknown>, 'read'> = {
	read: (parameters, name) => parameters.raw(name),
};

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
	// Safe: each field returns the type of its declaration, which `fromEntries` loses.
	return Object.fromEntries(values) as ValuesOf<Declared>;
}
