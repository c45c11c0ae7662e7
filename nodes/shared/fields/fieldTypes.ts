import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Parameters } from './parameters';

export interface FieldOptions<Value> {
	label: string;
	/** One-line description for the form and the documentation. */
	about?: string;
	example?: string;
	hint?: string;
	required?: boolean;
	/** Whether less is returned with a value than without one: see `refuseLost`. */
	narrows?: boolean;
	default?: Value;
	/** Initial value in the form. Unlike `default`, it applies only once the user has added the field. */
	prefill?: Value;
	show?: Record<string, string[] | boolean[]>;
	/** Other editor settings, such as `noDataExpression`. */
	editor?: Partial<INodeProperties>;
}

export type Filled<Value> = { required: true } | { default: Value };

export interface TextOptions extends FieldOptions<string> {
	maxLength?: number;
	/** What is wrong with a text, as half a sentence ("must be …"); undefined if nothing is. */
	check?: (text: string) => string | undefined;
}

export interface NumberOptions extends FieldOptions<number> {
	min: number;
	max?: number;
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

/** A form field, declared once: how the editor shows it, and how its value is checked. */
export interface Field<Value> {
	properties(name: string): INodeProperties[];
	/** The checked value. @param name the parameter's; `collection.name` inside one @throws InvalidParameter */
	read(parameters: Parameters, name: string): Value;
	/** Whether it belongs to More Fields. */
	isAdditional?: true;
}

/** Fields by their parameter names, which workflows store. */
export type Declarations = Record<string, Field<unknown>>;

type ValueOf<Declared> = Declared extends Field<infer Value> ? Value : never;
export type ValuesOf<Declared extends Declarations> = {
	[Name in keyof Declared]: ValueOf<Declared[Name]>;
};
