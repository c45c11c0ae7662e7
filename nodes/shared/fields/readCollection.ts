import { isJsonObject, type JsonObject } from '../service/json';
import { valuesOf } from './field';
import type { Declarations, ValuesOf } from './fieldTypes';
import { InvalidParameter } from './invalidParameter';
import type { Parameters } from './parameters';

export const ADDITIONAL = 'additionalFields';
export const ADDITIONAL_LABEL = 'More Fields';

/** @param additional those of the fields that are in More Fields */
export function readFields<Declared extends Declarations>(
	declared: Declared,
	additional: Declarations,
) {
	return (parameters: Parameters): ValuesOf<Declared> => {
		if (Object.keys(additional).length > 0) {
			refuseUnreadable(parameters, ADDITIONAL, ADDITIONAL_LABEL, additional);
		}
		return valuesOf(parameters, declared, (name, field) =>
			field.isAdditional ? `${ADDITIONAL}.${name}` : name,
		);
	};
}

export function readCollection<Declared extends Declarations>(label: string, declared: Declared) {
	return (parameters: Parameters, name: string): ValuesOf<Declared> => {
		refuseUnreadable(parameters, name, label, declared);
		return fieldsIn(parameters, name, declared);
	};
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

/** All of an item's collection, also unknown fields. @throws InvalidParameter unless it is an object */
export function everythingIn(parameters: Parameters, name: string, label: string): JsonObject {
	const given = parameters.raw(name);
	// Hidden from an AI agent's tool, it is not there.
	if (given === undefined && parameters.node.parameters[name] === undefined) return {};
	if (isJsonObject(given)) return given;
	throw new InvalidParameter(label, 'must be an object', given ?? '');
}
