import {
	collection,
	type Declarations,
	type Field,
	type ValuesOf,
} from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import { isJsonObject, type JsonObject } from '../../../shared/service/http/json';

/**
 * A collection that the node receives as the workflow has it. n8n silently drops anything in a
 * collection that isn't one of its fields: one expression for all of them, or fields with unknown
 * names (n8n-workflow 2.41: `getNodeParameters`). A hidden property of the same name, below it,
 * keeps them.
 */
export function wholeCollection<Declared extends Declarations>(
	label: string,
	addLabel: string,
	declared: Declared,
): Field<ValuesOf<Declared>> {
	const field = collection(label, addLabel, declared);
	return {
		...field,
		properties: (name) => [
			...field.properties(name),
			{ displayName: label, name, type: 'hidden', default: {} },
		],
	};
}

/**
 * Everything in an item's collection, including unknown fields.
 *
 * @throws InvalidParameter unless it is a set of fields: anything else would be read as empty
 */
export function everythingIn(parameters: Parameters, name: string, label: string): JsonObject {
	const given = parameters.raw(name);
	if (isJsonObject(given)) return given;
	throw new InvalidParameter(label, 'must be a set of fields', given ?? '');
}
