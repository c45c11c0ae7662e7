import { convert, type Field } from './field';
import { InvalidParameter } from './invalidParameter';
import { simpleField, type FieldOptions, type Filled } from './simpleField';

export interface NumberOptions extends FieldOptions<number> {
	min: number;
	max?: number;
	/** Whether `min` itself is rejected. */
	aboveMin?: boolean;
	/** What one of them is worth: 1000 for seconds of which the value is in milliseconds. */
	unit?: number;
	/** What people may write before the number, such as "USDOT". */
	prefix?: RegExp;
}

/** A number, also as text. */
export function number(options: NumberOptions & Filled<number>): Field<number>;
export function number(options: NumberOptions): Field<number | undefined>;
export function number(options: NumberOptions): Field<number | undefined> {
	const typeOptions = { minValue: options.min, ...maxValue(options) };
	const parse = (value: unknown) => parseNumber(value, options);
	const field = simpleField('number', options, parse, { typeOptions });
	const { unit = 1 } = options;
	return unit === 1 ? field : convert(field, (value) => value && Math.round(value * unit));
}

/** A whole number that JavaScript can represent exactly. */
export function wholeNumber(options: NumberOptions & Filled<number>): Field<number>;
export function wholeNumber(options: NumberOptions): Field<number | undefined>;
export function wholeNumber(options: NumberOptions): Field<number | undefined> {
	const typeOptions = { minValue: options.min, ...maxValue(options), numberPrecision: 0 };
	const parse = (value: unknown) => {
		const parsed = parseNumber(value, options);
		if (parsed === undefined || Number.isSafeInteger(parsed)) return parsed;
		throw new InvalidParameter(options.label, 'must be a whole number', value);
	};
	// n8n 2.41 marks an empty required field in the editor only if it is text.
	return simpleField(options.required ? 'string' : 'number', options, parse, { typeOptions });
}

/** Refuses a number that JavaScript has rounded: an ID beyond 2^53 would be another one. @throws InvalidParameter */
export function refuseRounded(value: unknown, label: string, named = ''): void {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
	const problem = `${named} has too many digits for a number, so the last ones are lost: give it as text`;
	throw new InvalidParameter(label, problem.trimStart(), value);
}

function maxValue({ max }: NumberOptions): { maxValue?: number } {
	return max === undefined ? {} : { maxValue: max };
}

function parseNumber(value: unknown, options: NumberOptions): number | undefined {
	if (typeof value === 'string' && value.trim() === '') return undefined;
	const { label, min, max, aboveMin, prefix = '' } = options;
	const parsed = typeof value === 'string' ? Number(value.trim().replace(prefix, '')) : value;
	if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
		throw new InvalidParameter(label, 'must be a number', value);
	}
	if (aboveMin && parsed <= min)
		throw new InvalidParameter(label, `must be more than ${min}`, value);
	if (parsed < min) throw new InvalidParameter(label, `must be ${min} or more`, value);
	if (max !== undefined && parsed > max) {
		throw new InvalidParameter(label, `must be ${max} or less`, value);
	}
	return parsed;
}
