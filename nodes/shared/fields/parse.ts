import type { NumberOptions, TextOptions } from './fieldTypes';
import { InvalidParameter } from './invalidParameter';
import { MAX_LENGTH } from './readField';

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
export const parseText = (options: TextOptions) => (value: unknown) => {
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
};

/** Refuses a number that JavaScript has rounded: an ID beyond 2^53 would be another one. @throws InvalidParameter */
export function refuseRounded(value: unknown, label: string, named = ''): void {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
	const problem = `${named} has too many digits for a number, so the last ones are lost: enter it as text`;
	throw new InvalidParameter(label, problem.trimStart(), value);
}

/** @throws InvalidParameter for another type, and a number outside of the limits */
export const parseNumber = (options: NumberOptions) => (value: unknown) => {
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
};
