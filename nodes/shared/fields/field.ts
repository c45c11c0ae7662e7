import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from './parameters';

/**
 * A form field, declared once: how the editor shows it, and how its value is checked. The type of
 * the value follows from the declaration.
 */
export interface Field<Value> {
	/** The editor's properties for this parameter name. */
	properties(name: string): INodeProperties[];
	/**
	 * Returns the checked value of one item.
	 *
	 * @param name parameter name; `collection.name` inside a collection
	 * @throws InvalidParameter
	 */
	read(parameters: Parameters, name: string): Value;
	/** Whether it belongs to Additional Fields. */
	additional?: boolean;
}

/** Fields by their parameter names, which workflows store. */
export type Declarations = Record<string, Field<unknown>>;

export type ValueOf<Declared> = Declared extends Field<infer Value> ? Value : never;
export type ValuesOf<Declared extends Declarations> = {
	[Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** A form, and how to read it. */
export interface Fields<Values> {
	properties: INodeProperties[];
	/**
	 * Reads all values of one item.
	 *
	 * @throws InvalidParameter for the first invalid one
	 */
	read(parameters: Parameters): Values;
}

const ADDITIONAL = 'additionalFields';

/** Combines fields into a form. Optional ones are collected in Additional Fields at its end. */
export function fields<Declared extends Declarations>(
	declared: Declared,
): Fields<ValuesOf<Declared>> {
	const all = Object.entries(declared);
	const additional = Object.fromEntries(all.filter(([, field]) => field.additional));
	const always = Object.fromEntries(all.filter(([, field]) => !field.additional));
	const gathered = collection('Additional Fields', 'Add Field', additional);
	return {
		properties: [
			...propertiesOf(always),
			...(Object.keys(additional).length > 0 ? gathered.properties(ADDITIONAL) : []),
		],
		read: (parameters) =>
			valuesOf(declared, (name, field) =>
				field.read(parameters, field.additional ? `${ADDITIONAL}.${name}` : name),
			),
	};
}

/** Combines two forms, one below the other. */
export function both<First, Second>(
	first: Fields<First>,
	second: Fields<Second>,
): Fields<First & Second> {
	return {
		properties: [...first.properties, ...second.properties],
		read: (parameters) => ({ ...first.read(parameters), ...second.read(parameters) }),
	};
}

/** Moves a field to Additional Fields. */
export function optional<Value>(field: Field<Value>): Field<Value> {
	return { ...field, additional: true };
}

/** A collection such as "Options". Users add its fields one by one; they are sorted by label. */
export function collection<Declared extends Declarations>(
	label: string,
	addLabel: string,
	declared: Declared,
	about?: string,
): Field<ValuesOf<Declared>> {
	return {
		properties: (name) => [
			{
				displayName: label,
				name,
				type: 'collection',
				placeholder: addLabel,
				default: {},
				...(about !== undefined && { description: about }),
				options: propertiesOf(declared).sort((one, other) =>
					one.displayName.localeCompare(other.displayName),
				),
			},
		],
		read: (parameters, name) =>
			valuesOf(declared, (inner, field) => field.read(parameters, `${name}.${inner}`)),
	};
}

/** Reads one field of a group; the group decides which ones it needs. */
export type ReadOne<Declared extends Declarations> = <Name extends keyof Declared & string>(
	name: Name,
) => ValueOf<Declared[Name]>;

/** Several fields that form one value, such as the two ends of a range. */
export function group<Declared extends Declarations, Value>(
	declared: Declared,
	combine: (read: ReadOne<Declared>, parameters: Parameters) => Value,
): Field<Value> {
	return {
		properties: () => propertiesOf(declared),
		read: (parameters) => {
			const values = new Map(Object.entries(declared));
			// Safe: each field returns the type of its declaration. The map only hides that from the
			// compiler.
			const read = (name: string) => values.get(name)?.read(parameters, name);
			return combine(read as ReadOne<Declared>, parameters);
		},
	};
}

/** The same field with a converted value, such as minutes to milliseconds. */
export function convert<Value, Converted>(
	field: Field<Value>,
	turn: (value: Value) => Converted,
): Field<Converted> {
	return { ...field, read: (parameters, name) => turn(field.read(parameters, name)) };
}

function propertiesOf(declared: Declarations): INodeProperties[] {
	return Object.entries(declared).flatMap(([name, field]) => field.properties(name));
}

function valuesOf<Declared extends Declarations>(
	declared: Declared,
	read: (name: string, field: Field<unknown>) => unknown,
): ValuesOf<Declared> {
	const values = Object.entries(declared).map(([name, field]) => [name, read(name, field)]);
	// Safe, as above: `fromEntries` loses the types.
	return Object.fromEntries(values) as ValuesOf<Declared>;
}
