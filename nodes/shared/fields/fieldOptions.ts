import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

export interface FieldOptions<Value> {
	label: string;
	/** One-line description for the form and the documentation. */
	about?: string;
	/** Placeholder: "e.g. …". */
	example?: string;
	hint?: string;
	required?: boolean;
	/** Whether less is returned with a value than without one: see `refuseLost`. */
	narrows?: boolean;
	/** Value of an empty or absent field. */
	default?: Value;
	/** Initial value in the form. Unlike `default`, it applies only once the user has added the field. */
	prefill?: Value;
	/** Shown only for these values of other fields. */
	show?: Record<string, string[] | boolean[]>;
	/** Other editor settings, such as `noDataExpression`. */
	editor?: Partial<INodeProperties>;
}

/** Options of a field that always has a value. */
export type Filled<Value> = { required: true } | { default: Value };

export interface TextOptions extends FieldOptions<string> {
	/** In characters. */
	maxLength?: number;
	/** What is wrong with a text, as half a sentence ("must be …"); undefined if nothing is. */
	check?: (text: string) => string | undefined;
}

export interface NumberOptions extends FieldOptions<number> {
	min: number;
	max?: number;
	/** Whether `min` itself is rejected. */
	aboveMin?: boolean;
	/** Whether it must be one that JavaScript can represent exactly. */
	isWhole?: boolean;
	/** What one of them is worth: 1000 for seconds of which the value is in milliseconds. */
	unit?: number;
	/** What people may write before the number, such as "USDOT". */
	prefix?: RegExp;
}

export interface Choice<Value extends string = string> {
	name: string;
	value: Value;
	description?: string;
	displayOptions?: IDisplayOptions;
}

export interface ChoiceOptions<Value extends string> extends FieldOptions<Value> {
	choices: ReadonlyArray<Choice<Value>>;
}
