import type { INodeProperties } from 'n8n-workflow';

import { collection, refuseUnreadable } from './collection';
import { valuesOf, type Declarations, type ValuesOf } from './field';
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

/** Combines fields into a form. Optional ones are collected in Additional Fields, where the first is. */
export function fields<Declared extends Declarations>(
	declared: Declared,
): Fields<ValuesOf<Declared>> {
	const all = Object.entries(declared);
	const additional = Object.fromEntries(all.filter(([, field]) => field.additional));
	const [firstAdditional] = Object.keys(additional);
	const hasAdditional = firstAdditional !== undefined;
	const gathered = collection(ADDITIONAL_LABEL, 'Add Field', additional);
	return {
		properties: all.flatMap(([name, field]) => {
			if (!field.additional) return field.properties(name);
			return name === firstAdditional ? gathered.properties(ADDITIONAL) : [];
		}),
		read(parameters) {
			if (hasAdditional) refuseUnreadable(parameters, ADDITIONAL, ADDITIONAL_LABEL, additional);
			return valuesOf(parameters, declared, (name, field) =>
				field.additional ? `${ADDITIONAL}.${name}` : name,
			);
		},
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
