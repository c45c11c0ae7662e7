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
 * A collection that reaches the node as the workflow has it. From a collection, n8n drops without a
 * word what is no set of its fields, such as one expression for all of them, and each field whose name
 * it doesn't have (n8n-workflow 2.41: `getNodeParameters`). A hidden property of the same name, below
 * it, keeps them.
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
 * All that a collection of an item has, also what the node doesn't know.
 *
 * @throws InvalidParameter unless it is a set of fields: what else it is would be read as empty
 */
export function everythingIn(parameters: Parameters, name: string, label: string): JsonObject {
	const given = parameters.raw(name);
	if (isJsonObject(given)) return given;
	throw new InvalidParameter(label, 'must be a set of fields', given ?? '');
}
