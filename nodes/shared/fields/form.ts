import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { collection, refuseUnreadable } from './collection';
import { valuesOf, type Declarations, type Field, type ValuesOf } from './field';
import type { Parameters } from './parameters';

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
const ADDITIONAL_LABEL = 'Additional Fields';

/**
 * A visible field that used to be an additional one. Saved workflows that have it there keep it: it
 * is read from both places, and the form still shows it in Additional Fields if it is set there.
 */
export function movedUp<Value>(field: Field<Value>): Field<Value> {
	return {
		...field,
		additional: 'before',
		read: (parameters, name) =>
			field.read(parameters, name) ?? field.read(parameters, `${ADDITIONAL}.${name}`),
	};
}

/**
 * Combines fields into a form. Optional ones are collected in Additional Fields, where the first is;
 * if all of them moved up, below the last, and only where a workflow has them there.
 */
export function fields<Declared extends Declarations>(
	declared: Declared,
): Fields<ValuesOf<Declared>> {
	const all = Object.entries(declared);
	const additional = Object.fromEntries(all.filter(([, field]) => field.additional));
	const [first] = all.find(([, field]) => field.additional === 'now') ?? [];
	const at = first ?? Object.keys(additional).at(-1);
	const gathered = additionalFields(additional, first === undefined ? at : undefined);
	return {
		properties: all.flatMap(([name, field]) => [
			...(field.additional === 'now' ? [] : field.properties(name)),
			...(name === at ? gathered : []),
		]),
		read(parameters) {
			if (at !== undefined) refuseUnreadable(parameters, ADDITIONAL, ADDITIONAL_LABEL, additional);
			return valuesOf(parameters, declared, (name, field) =>
				field.additional === 'now' ? `${ADDITIONAL}.${name}` : name,
			);
		},
	};
}

/** @param onlyIf the field that must be set there for the collection to be shown */
function additionalFields(additional: Declarations, onlyIf: string | undefined) {
	const declared = Object.entries(additional).map(([name, field]) => [
		name,
		field.additional === 'now' ? field : { ...field, properties: () => shownIfSet(name, field) },
	]);
	const all = collection(ADDITIONAL_LABEL, 'Add Field', Object.fromEntries(declared));
	const [shown, ...hidden] = all.properties(ADDITIONAL);
	const show = onlyIf === undefined ? {} : { displayOptions: ifSet(onlyIf) };
	return [...(shown ? [{ ...shown, ...show }] : []), ...hidden];
}

function shownIfSet(name: string, field: Field<unknown>): INodeProperties[] {
	return field.properties(name).map((one) => ({ ...one, displayOptions: ifSet(name) }));
}

function ifSet(name: string): IDisplayOptions {
	return { show: { [`/${ADDITIONAL}.${name}`]: [{ _cnd: { exists: true } }] } };
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
