import type { Parameters } from './parameters';

/**
 * Half a sentence about what a field's expressions did not find. Not counted are what a model may leave out
 * (`$fromAI`), and a collection from one expression that leaves out the field.
 * @param value undefined, or what may be only the fixed text: "LD-" for "LD-{{ $json.load }}"
 */
export function lossIn(
	parameters: Parameters,
	name: string,
	expressions: readonly string[],
	value: unknown,
): string | undefined {
	if (value === undefined) {
		const isGiven = expressions.some((text) => text.includes('{{') && !/\$fromAI/i.test(text));
		const [collection = name, key] = name.split('.');
		const isLeftOut =
			key !== undefined &&
			parameters.isExpression(collection) &&
			!Object.hasOwn(Object(parameters.raw(collection)), key);
		return isGiven && !isLeftOut
			? 'is empty: its expression returned nothing, so the result would not be what was asked for'
			: undefined;
	}
	const [before = '', ...others] = expressions[0]?.replace(/^=/, '').split('{{') ?? [];
	const after = others.map((part) => part.slice(part.indexOf('}}') + '}}'.length));
	const fixed = [before, ...after].join('').trim();
	return others.length > 0 && fixed !== '' && fixed === String(value).trim()
		? 'has only its fixed text because the expression returned nothing'
		: undefined;
}
