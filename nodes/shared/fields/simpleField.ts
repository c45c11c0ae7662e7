import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import { InvalidParameter } from './invalidParameter';

/** What every field can say of itself. */
export interface FieldOptions<Value> {
	label: string;
	/** Description in the form and in the documentation: one line. */
	about?: string;
	/** Shown as "e.g. …" while the field is empty. */
	example?: string;
	/** Shown below the field at all times. */
	hint?: string;
	required?: boolean;
	/** Value of an empty or absent field. */
	default?: Value;
	/** What the form shows first; unlike `default` it counts only once the user has added the field. */
	prefill?: Value;
	/** Other fields' values for which the field is shown. */
	show?: Record<string, string[] | boolean[]>;
	/** Other fields' values for which it is hidden. */
	hide?: Record<string, string[] | boolean[]>;
	/** Anything else that the editor knows, such as `noDataExpression`. */
	editor?: Partial<INodeProperties>;
}

/** Options of a field that always has a value. */
export type Filled<Value> = { required: true } | { default: Value };

/**
 * A field with one property.
 *
 * @param parse turns what an expression or the form gives into the value; undefined for empty
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
			const value = raw === undefined ? undefined : parse(raw);
			if (value === undefined && options.required) {
				throw new InvalidParameter(options.label, 'is required', '');
			}
			return value ?? options.default;
		},
	};
}

function propertyOf(
	name: string,
	type: INodeProperties['type'],
	options: FieldOptions<INodeProperties['default']>,
): INodeProperties {
	const { label, about, example, hint, required, show, hide } = options;
	return {
		displayName: label,
		name,
		type,
		default: options.default ?? options.prefill ?? '',
		...(required && { required }),
		...(example !== undefined && { placeholder: `e.g. ${example}` }),
		...((show || hide) && { displayOptions: { ...(show && { show }), ...(hide && { hide }) } }),
		...(about !== undefined && { description: about }),
		...(hint !== undefined && { hint }),
	};
}
