import type { Field } from './field';
import { InvalidParameter } from './invalidParameter';
import { refuseRounded } from './number';
import type { Parameters } from './parameters';
import { refuseLost, simpleField, type FieldOptions, type Filled } from './simpleField';

/** Longer than any name, number or place, but short enough for a URL. */
const MAX_LENGTH = 1000;

/** What is copied along from a web page or a chat: with it, an ID is found nowhere. */
const INVISIBLE_EDGES = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

export interface TextOptions extends FieldOptions<string> {
	/** Longest text that is accepted, in characters. */
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

/**
 * Trimmed text; undefined if it is blank.
 *
 * @throws InvalidParameter for another type, and text that is too long or fails the check
 */
export function parseText(value: unknown, options: TextOptions): string | undefined {
	const { label, maxLength = MAX_LENGTH, check } = options;
	refuseRounded(value, label);
	if (Number.isFinite(value)) return parseText(String(value), options);
	if (typeof value !== 'string') throw new InvalidParameter(label, 'must be text', value);
	const trimmed = value.trim();
	if (trimmed === '') return undefined;
	if (trimmed.length > maxLength) {
		const problem = `must be at most ${maxLength} characters long, it has ${trimmed.length}`;
		throw new InvalidParameter(label, problem, trimmed);
	}
	const visible = trimmed.replaceAll(INVISIBLE_EDGES, '');
	if (visible === '') return undefined;
	const problem = check?.(visible);
	if (problem !== undefined) throw new InvalidParameter(label, problem, visible);
	return visible;
}

/**
 * The texts in a list or a comma-separated text: trimmed, without blanks and duplicates.
 *
 * @throws InvalidParameter for anything else, or if they are too long together
 */
function parseTexts(value: unknown, label: string): string[] {
	const listed: unknown[] = Array.isArray(value) ? value : [value];
	const parsed = listed.flatMap((entry) => {
		if (entry === undefined || entry === null) return [];
		if (typeof entry === 'string') return entry.split(',').map((part) => part.trim());
		throw new InvalidParameter(label, 'must be a list of text values', value);
	});
	const distinct = [...new Set(parsed)].filter((part) => part !== '');
	if (distinct.join().length <= MAX_LENGTH) return distinct;
	const problem = `must be at most ${MAX_LENGTH} characters long in all`;
	throw new InvalidParameter(label, problem, value);
}

/** Comma-separated text, or a list from an expression. Empty if there is none. */
export function texts(options: FieldOptions<string>): Field<string[]> {
	return {
		...simpleField('string', options, (value) => String(value)),
		read: (parameters, name) => readTexts(parameters, name, options),
	};
}

/** The texts of a field. @throws InvalidParameter */
export function readTexts(
	parameters: Parameters,
	name: string,
	options: Pick<FieldOptions<unknown>, 'label' | 'narrows'>,
): string[] {
	const given = parseTexts(parameters.raw(name), options.label);
	if (given.length === 0) refuseLost(parameters, name, options);
	return given;
}
