import type { INodeProperties } from 'n8n-workflow';

import { convertGiven } from './field';
import type {
	Field,
	Choice,
	ChoiceOptions,
	FieldOptions,
	Filled,
	NumberOptions,
	TextOptions,
} from './fieldTypes';
import { parseNumber, parseText } from './parse';
import { inUnit, parseChoice, parseFlag, readField, readTexts } from './readField';

/** Text, trimmed. A number becomes text. */
export function text(options: TextOptions & Filled<string>): Field<string>;
export function text(options: TextOptions): Field<string | undefined>;
export function text(options: TextOptions): Field<string | undefined> {
	return simpleField('string', options, parseText(options));
}

/** A number, also as text. */
export function number(options: NumberOptions & Filled<number>): Field<number>;
export function number(options: NumberOptions): Field<number | undefined>;
export function number(options: NumberOptions): Field<number | undefined> {
	const { min, max, isWhole = false, required = false, unit = 1 } = options;
	const typeOptions = {
		minValue: min,
		...(max !== undefined && { maxValue: max }),
		...(isWhole && { numberPrecision: 0 }),
	};
	// n8n 2.41 marks an empty required field in the editor only if it is text.
	const type = isWhole && required ? 'string' : 'number';
	const field = simpleField(type, options, parseNumber(options), { typeOptions });
	return unit === 1 ? field : convertGiven(field, inUnit(unit));
}

export function wholeNumber(options: NumberOptions & Filled<number>): Field<number>;
export function wholeNumber(options: NumberOptions): Field<number | undefined>;
export function wholeNumber(options: NumberOptions): Field<number | undefined> {
	return number({ ...options, isWhole: true });
}

export function choice<const Value extends string>(
	options: ChoiceOptions<Value> & Filled<Value>,
): Field<Value>;
export function choice<const Value extends string>(
	options: ChoiceOptions<Value>,
): Field<Value | undefined>;
export function choice<const Value extends string>(
	options: ChoiceOptions<Value>,
): Field<Value | undefined> {
	const { choices, label } = options;
	return simpleField('options', options, parseChoice(label, choices), { options: [...choices] });
}

/** A switch. Its description starts with "Whether". */
export function flag(options: FieldOptions<boolean> & Filled<boolean>): Field<boolean>;
export function flag(options: FieldOptions<boolean>): Field<boolean | undefined>;
export function flag(options: FieldOptions<boolean>): Field<boolean | undefined> {
	const shown = options.default ?? options.prefill ?? false;
	return simpleField('boolean', options, parseFlag(options.label), { default: shown });
}

/** Comma-separated text, or a list from an expression. Empty if there is none. */
export function texts(options: FieldOptions<string>): Field<string[]> {
	return listField('string', options);
}

export interface ChoicesOptions extends Omit<FieldOptions<string>, 'default' | 'prefill'> {
	choices: readonly Choice[];
}

/** Several values of a list. Expressions may give others. Empty if none is chosen. */
export function choices(options: ChoicesOptions): Field<string[]> {
	return listField('multiOptions', options, { options: [...options.choices], default: [] });
}

/** A notice in the form, without a value. */
export function notice(words: string, show?: FieldOptions<string>['show']): Field<undefined> {
	return simpleField('notice', { label: words, ...(show && { show }) }, () => undefined);
}

/** @param parse converts the form's or an expression's value; returns undefined if it is empty */
export function simpleField<Value extends INodeProperties['default']>(
	type: INodeProperties['type'],
	options: FieldOptions<Value>,
	parse: (value: unknown) => Value | undefined,
	more: Partial<INodeProperties> = {},
): Field<Value | undefined> {
	const { label, about, example, hint, required, show } = options;
	return {
		properties: (name) => [
			{
				displayName: label,
				name,
				type,
				default: options.default ?? options.prefill ?? '',
				...(required && { required }),
				...(example !== undefined && { placeholder: `e.g. ${example}` }),
				...(show && { displayOptions: { show } }),
				...(about !== undefined && { description: about }),
				...(hint !== undefined && { hint }),
				...more,
				...options.editor,
			},
		],
		read: readField(options, parse),
	};
}

function listField(
	type: INodeProperties['type'],
	options: FieldOptions<string>,
	more?: Partial<INodeProperties>,
): Field<string[]> {
	return { ...simpleField(type, options, () => undefined, more), read: readTexts(options) };
}
