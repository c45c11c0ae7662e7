import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import { InvalidParameter } from './invalidParameter';
import type { Parameters } from './parameters';

/** Options of every field. */
export interface FieldOptions<Value> {
	label: string;
	/** One-line description for the form and the documentation. */
	about?: string;
	/** Placeholder: "e.g. …". */
	example?: string;
	/** Hint below the field. */
	hint?: string;
	required?: boolean;
	/** Whether less is returned with a value than without one: see `refuseLost`. */
	narrows?: boolean;
	/** Value of an empty or absent field. */
	default?: Value;
	/**
	 * Initial value in the form. Unlike `default`, it applies only once the user has added the field.
	 */
	prefill?: Value;
	/** Shown only for these values of other fields. */
	show?: Record<string, string[] | boolean[]>;
	/** Other editor settings, such as `noDataExpression`. */
	editor?: Partial<INodeProperties>;
}

/** Options of a field that always has a value. */
export type Filled<Value> = { required: true } | { default: Value };

/**
 * A field with one property.
 *
 * @param parse converts the form's or an expression's value; returns undefined if it is empty
 */
export function simpleField<Value extends INodeProperties['default']>(
	type: INodeProperties['type'],
	options: FieldOptions<Value>,
	parse: (value: unknown) => Value | undefined,
	more: Partial<INodeProperties> = {},
): Field<Value | undefined> {
	return {
		properties: (name) => [{ ...propertyOf(name, type, options), ...more, ...options.editor }],
		read(parameters, name) {
			const raw = parameters.raw(name);
			if (raw !== undefined) refuseFixedText(parameters, name, options, raw);
			const value = raw === undefined ? undefined : parse(raw);
			if (value === undefined && options.required) {
				throw new InvalidParameter(options.label, 'is required', '');
			}
			if (value === undefined) refuseLost(parameters, name, options);
			return value ?? options.default;
		},
	};
}

/**
 * Refuses a narrowing field whose expression returned nothing, such as a misspelled `$json.load`: the
 * list would silently be of everything, and whoever is called next would be strangers. A field that
 * is empty in the form, or not there, is meant to be.
 *
 * @throws InvalidParameter
 */
export function refuseLost(
	parameters: Parameters,
	name: string,
	{ label, narrows }: Pick<FieldOptions<unknown>, 'label' | 'narrows'>,
): void {
	if (!narrows || !parameters.isGivenByExpression(name)) return;
	const problem =
		'is empty: its expression returned nothing, so the result would not be what was asked for';
	throw new InvalidParameter(label, problem);
}

/**
 * Refuses a required or narrowing field of which only the fixed text is left: a call would be about
 * the load "LD-", and a list of it may be of all loads.
 *
 * @throws InvalidParameter
 */
function refuseFixedText(
	parameters: Parameters,
	name: string,
	{ label, required, narrows }: Pick<FieldOptions<unknown>, 'label' | 'required' | 'narrows'>,
	raw: unknown,
): void {
	if ((!required && !narrows) || !parameters.isOnlyFixedText(name, raw)) return;
	throw new InvalidParameter(label, 'is only its fixed text: its expression found nothing', raw);
}

function propertyOf(
	name: string,
	type: INodeProperties['type'],
	options: FieldOptions<INodeProperties['default']>,
): INodeProperties {
	const { label, about, example, hint, required, show } = options;
	return {
		displayName: label,
		name,
		type,
		default: options.default ?? options.prefill ?? '',
		...(required && { required }),
		...(example !== undefined && { placeholder: `e.g. ${example}` }),
		...(show && { displayOptions: { show } }),
		...(about !== undefined && { description: about }),
		...(hint !== undefined && { hint }),
	};
}
