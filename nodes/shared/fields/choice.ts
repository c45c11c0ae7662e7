import type { Field } from './field';
import { InvalidParameter } from './invalidParameter';
import { simpleField, type FieldOptions, type Filled } from './simpleField';
import { readTexts } from './text';

export interface Choice<Value extends string = string> {
	name: string;
	value: Value;
	description?: string;
}

export interface ChoiceOptions<Value extends string> extends FieldOptions<Value> {
	choices: ReadonlyArray<Choice<Value>>;
}

/** One value of a dropdown. */
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
	const parse = (raw: unknown) => {
		const found = choices.find(({ value }) => value === raw);
		if (found) return found.value;
		const values = choices.flatMap(({ value }) => value || []).join(', ');
		throw new InvalidParameter(label, `must be one of ${values}`, raw);
	};
	return simpleField('options', options, parse, { options: [...choices] });
}

export interface ChoicesOptions extends Omit<FieldOptions<string[]>, 'default' | 'prefill'> {
	choices: readonly Choice[];
}

/** Several values of a list. Expressions may give others. Empty if none is chosen. */
export function choices(options: ChoicesOptions): Field<string[]> {
	const field = simpleField('multiOptions', options, () => [], {
		options: [...options.choices],
		default: [],
	});
	return { ...field, read: (parameters, name) => readTexts(parameters, name, options) };
}

/** A switch. Its description starts with "Whether". */
export function flag(options: FieldOptions<boolean> & Filled<boolean>): Field<boolean>;
export function flag(options: FieldOptions<boolean>): Field<boolean | undefined>;
export function flag(options: FieldOptions<boolean>): Field<boolean | undefined> {
	const parse = (value: unknown) => {
		if (typeof value === 'boolean') return value;
		if (value === 'true') return true;
		if (value === 'false') return false;
		throw new InvalidParameter(options.label, 'must be true or false', value);
	};
	const shown = options.default ?? options.prefill ?? false;
	return simpleField('boolean', options, parse, { default: shown });
}

/** A notice in the form, without a value. */
export function notice(words: string, show?: FieldOptions<string>['show']): Field<undefined> {
	const options = { label: words, ...(show && { show }) };
	return simpleField('notice', options, () => undefined);
}
