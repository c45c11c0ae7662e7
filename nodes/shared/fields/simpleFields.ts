import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { convert, type Field } from './field';
import type { Parameters } from './parameters';
import { InvalidParameter } from './invalidParameter';

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

/** Text, trimmed. A number becomes text. */
export function text(options: TextOptions & Filled<string>): Field<string>;
export function text(options: TextOptions): Field<string | undefined>;
export function text(options: TextOptions): Field<string | undefined> {
	return simpleField('string', options, (value) => parseText(value, options));
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
	const field = simpleField(type, options, (value) => parseNumber(value, options), { typeOptions });
	return unit === 1 ? field : convert(field, (value) => value && Math.round(value * unit));
}

export function wholeNumber(options: NumberOptions & Filled<number>): Field<number>;
export function wholeNumber(options: NumberOptions): Field<number | undefined>;
export function wholeNumber(options: NumberOptions): Field<number | undefined> {
	return number({ ...options, isWhole: true });
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

/** A switch. Its description starts with "Whether". */
export function flag(options: FieldOptions<boolean> & Filled<boolean>): Field<boolean>;
export function flag(options: FieldOptions<boolean>): Field<boolean | undefined>;
export function flag(options: FieldOptions<boolean>): Field<boolean | undefined> {
	const parse = (value: unknown) => {
		if (value === true || value === 'true') return true;
		if (value === false || value === 'false') return false;
		throw new InvalidParameter(options.label, 'must be true or false', value);
	};
	const shown = options.default ?? options.prefill ?? false;
	return simpleField('boolean', options, parse, { default: shown });
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
		read(parameters, name) {
			const raw = parameters.raw(name);
			const value = raw === undefined ? undefined : parse(raw);
			if (value === undefined && required) throw new InvalidParameter(label, 'is required', '');
			refuseLost(parameters, name, options, value === undefined ? undefined : raw);
			return value ?? options.default;
		},
	};
}

/** A field whose value is a list of texts: trimmed, without blanks and duplicates. */
function listField(
	type: INodeProperties['type'],
	options: FieldOptions<string>,
	more?: Partial<INodeProperties>,
): Field<string[]> {
	return {
		...simpleField(type, options, () => undefined, more),
		read(parameters, name) {
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
		},
	};
}

/**
 * Refuses a required or narrowing field whose expression returned nothing, such as a misspelled
 * `$json.load`: a call would be about the load "LD-", and the list silently of everything, so that whoever
 * is called next would be strangers. A field that is empty in the form, or not there, is meant to be.
 *
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
	const problem = parameters.lossIn(name, value);
	if (problem !== undefined) throw new InvalidParameter(label, problem, value);
}

/** Longer than any name, number or place, but short enough for a URL. */
const MAX_LENGTH = 1000;

/** What is copied along from a web page or a chat: with it, an ID is found nowhere. */
const INVISIBLE_EDGES = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;

/**
 * What programs and spreadsheets write for a missing value, also within a text: "LD-undefined". Null is
 * a surname, and in capitals only within other text.
 */
const NOTHING =
	/(?<![\p{L}\d])(?:undefined|null|NaN)(?![\p{L}\d])|^NULL$|\[object Object\]|#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)/u;

const FOUND_NOTHING = 'has no value: its expression or formula returned nothing';

/** @throws InvalidParameter for another type, and text that is too long or fails the check */
export function parseText(value: unknown, options: TextOptions): string | undefined {
	const { label, maxLength = MAX_LENGTH, check } = options;
	refuseRounded(value, label);
	const given = Number.isFinite(value) ? String(value) : value;
	if (typeof given !== 'string') throw new InvalidParameter(label, 'must be text', value);
	const trimmed = given.trim();
	if (trimmed.length > maxLength) {
		const problem = `must be at most ${maxLength} characters long, it has ${trimmed.length}`;
		throw new InvalidParameter(label, problem, trimmed);
	}
	const visible = trimmed.replaceAll(INVISIBLE_EDGES, '');
	if (visible === '') return undefined;
	const problem = check?.(visible) ?? (NOTHING.test(visible) ? FOUND_NOTHING : undefined);
	if (problem !== undefined) throw new InvalidParameter(label, problem, visible);
	return visible;
}

/** Refuses a number that JavaScript has rounded: an ID beyond 2^53 would be another one. @throws InvalidParameter */
export function refuseRounded(value: unknown, label: string, named = ''): void {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
	const problem = `${named} has too many digits for a number, so the last ones are lost: enter it as text`;
	throw new InvalidParameter(label, problem.trimStart(), value);
}

function parseNumber(value: unknown, options: NumberOptions): number | undefined {
	const { label, min, max, aboveMin, isWhole, prefix = '' } = options;
	const written = typeof value === 'string' ? value.trim().replace(prefix, '') : value;
	if (written === '') return undefined;
	const parsed = typeof written === 'string' ? Number(written) : written;
	const refusal = (must: string) => new InvalidParameter(label, `must be ${must}`, value);
	if (typeof parsed !== 'number' || !Number.isFinite(parsed)) throw refusal('a number');
	if (aboveMin && parsed <= min) throw refusal(`more than ${min}`);
	if (parsed < min) throw refusal(`${min} or more`);
	if (max !== undefined && parsed > max) throw refusal(`${max} or less`);
	if (isWhole && !Number.isSafeInteger(parsed)) throw refusal('a whole number');
	return parsed;
}
