import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from './parameters';

/**
 * One field of a form, declared once: how the editor shows it, and how its value is checked. The
 * value's type follows from the declaration.
 */
export interface Field<Value> {
	/** What the editor shows for it under this parameter name. */
	properties(name: string): INodeProperties[];
	/**
	 * The checked value of one item.
	 *
	 * @param name parameter name; `collection.name` inside a collection
	 * @throws InvalidParameter that names the field and what is wrong with its value
	 */
	read(parameters: Parameters, name: string): Value;
	/** Whether it belongs in the collection of additional fields. */
	additional?: boolean;
}

/** Fields by their parameter names, which workflows store. */
export type Declarations = Record<string, Field<unknown>>;

export type ValueOf<Declared> = Declared extends Field<infer Value> ? Value : never;
export type ValuesOf<Declared extends Declarations> = {
	[Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** A form and the way to read it. */
export interface Fields<Values> {
	properties: INodeProperties[];
	/** All values of one item. @throws InvalidParameter for the first that cannot be used */
	read(parameters: Parameters): Values;
}

const ADDITIONAL = 'additionalFields';

/** Puts fields together into a form; optional ones gather in one collection at its end. */
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

/** One form below the other. */
export function both<First, Second>(
	first: Fields<First>,
	second: Fields<Second>,
): Fields<First & Second> {
	return {
		properties: [...first.properties, ...second.properties],
		read: (parameters) => ({ ...first.read(parameters), ...second.read(parameters) }),
	};
}

/** A field that gathers in the collection "Additional Fields". */
export function optional<Value>(field: Field<Value>): Field<Value> {
	return { ...field, additional: true };
}

/** A collection such as "Options": its fields are added one by one, sorted by their labels. */
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

/** The value of one field of a group; reading only those that count is up to the group. */
export type ReadOne<Declared extends Declarations> = <Name extends keyof Declared & string>(
	name: Name,
) => ValueOf<Declared[Name]>;

/** Several fields that are one value, such as the two ends of a range. They name themselves. */
export function group<Declared extends Declarations, Value>(
	declared: Declared,
	combine: (read: ReadOne<Declared>, parameters: Parameters) => Value,
): Field<Value> {
	return {
		properties: () => propertiesOf(declared),
		read: (parameters) => {
			const values = new Map(Object.entries(declared));
			// What a field reads is what its declaration says: only the compiler loses sight of it.
			const read = (name: string) => values.get(name)?.read(parameters, name);
			return combine(read as ReadOne<Declared>, parameters);
		},
	};
}

/** The same field with its value turned into another one, such as minutes into milliseconds. */
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
	// `fromEntries` forgets which name has which type.
	return Object.fromEntries(values) as ValuesOf<Declared>;
}
