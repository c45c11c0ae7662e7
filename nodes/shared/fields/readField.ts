import type { Choice, FieldOptions } from './fieldTypes';
import { InvalidParameter } from './invalidParameter';
import { lossIn } from './lostValue';
import type { Parameters } from './parameters';

/** @param parse converts the form's or an expression's value; returns undefined if it is empty */
export function readField<Value>(
	options: FieldOptions<Value>,
	parse: (value: unknown) => Value | undefined,
) {
	const { label, required } = options;
	return (parameters: Parameters, name: string): Value | undefined => {
		const raw = parameters.raw(name);
		const value = raw === undefined ? undefined : parse(raw);
		if (value === undefined && required) throw new InvalidParameter(label, 'is required', '');
		refuseLost(parameters, name, options, value === undefined ? undefined : raw);
		return value ?? options.default;
	};
}

export function parseChoice<Value extends string>(
	label: string,
	choices: ReadonlyArray<Choice<Value>>,
) {
	return (raw: unknown): Value => {
		const found = choices.find(({ value }) => value === raw);
		if (found) return found.value;
		const values = choices.flatMap(({ value }) => value || []).join(', ');
		throw new InvalidParameter(label, `must be one of ${values}`, raw);
	};
}

export function parseFlag(label: string) {
	return (value: unknown): boolean => {
		if (value === true || value === 'true') return true;
		if (value === false || value === 'false') return false;
		throw new InvalidParameter(label, 'must be true or false', value);
	};
}

/** A number in the unit in which it is used: milliseconds for seconds that were entered. */
export function inUnit(unit: number) {
	return (value: number): number => Math.round(value * unit);
}

/** Longer than any name, number or place, but short enough for a URL. */
export const MAX_LENGTH = 1000;

/** A list of texts: trimmed, without blanks and duplicates. */
export function readTexts(options: FieldOptions<string>) {
	return (parameters: Parameters, name: string): string[] => {
		const given = parameters.raw(name);
		const parts = [given].flat().flatMap((entry: unknown) => {
			if (entry === undefined || entry === null) return [];
			if (typeof entry === 'string') return entry.split(',').map((part) => part.trim());
			throw new InvalidParameter(options.label, 'must be a list of text values', given);
		});
		const distinct = [...new Set(parts)].filter((part) => part !== '');
		if (distinct.length === 0) refuseLost(parameters, name, options);
		if (distinct.join().length <= MAX_LENGTH) return distinct;
		const problem = `must be at most ${MAX_LENGTH} characters long in all`;
		throw new InvalidParameter(options.label, problem, given);
	};
}

/**
 * Refuses a required or narrowing field whose expression returned nothing, such as a misspelled
 * `$json.load`: a call would be about the load "LD-", and the list silently of everything, so that whoever
 * is called next would be strangers. A field that is empty in the form, or not there, is meant to be.
 * @param value undefined if it is empty
 * @throws InvalidParameter
 */
function refuseLost(
	parameters: Parameters,
	name: string,
	{ label, required, narrows }: Pick<FieldOptions<unknown>, 'label' | 'required' | 'narrows'>,
	value?: unknown,
): void {
	if (!narrows && !(required && value !== undefined)) return;
	const expressions = parameters.expressionsOf(name);
	if (expressions.length === 0) return;
	const problem = lossIn(parameters, name, expressions, value);
	if (problem !== undefined) throw new InvalidParameter(label, problem, value);
}
