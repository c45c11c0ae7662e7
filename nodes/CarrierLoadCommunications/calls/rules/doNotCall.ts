import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { parsePhoneNumberFromString } from '../plan/phoneLibrary';
import { asPlainText, withoutExtension } from '../plan/extension';
import { numberIn, withoutOldPrefix } from '../plan/phoneNumber';
import type { Refusal, RuledCall } from './refusal';

export interface DoNotCall {
	/** E.164 numbers without extension. */
	numbers: ReadonlySet<string>;
	onListed: 'error' | 'skip';
}

const LABEL = 'Do Not Call';

/** Refuses a call to a listed number, whatever its extension. */
export function refuseListed(
	{ numbers, onListed }: DoNotCall,
	call: RuledCall,
): Refusal | undefined {
	if (!numbers.has(withoutOldPrefix(withoutExtension(call.toPhone)))) return undefined;
	return {
		...(onListed === 'skip' && { skippedAs: 'doNotCall' }),
		reason: `${call.toPhone} is on the do-not-call list`,
		advice: 'Take the number off the list only if the person agreed to be called again',
	};
}

/** Lists are long and mostly the same for all items, so each number and an equal list are read once. */
export class DoNotCallReader {
	private readonly known = new Map<string, string[]>();
	private last: { source: string; numbers: Set<string> } | undefined;

	/**
	 * @param value text with numbers separated by commas, semicolons or lines, or a list
	 * @param defaultCountry country of numbers without a country code
	 * @throws InvalidParameter for an entry that isn't a phone number, because it would protect
	 * nobody
	 */
	read(value: unknown, defaultCountry: string): ReadonlySet<string> {
		const entries = entriesOf(value);
		const source = [defaultCountry, ...entries].join('\n');
		if (this.last?.source === source) return this.last.numbers;
		const numbers = new Set(entries.flatMap((entry) => this.numbersOf(entry, defaultCountry)));
		this.last = { source, numbers };
		return numbers;
	}

	private numbersOf(entry: string, defaultCountry: string): string[] {
		const key = `${defaultCountry} ${entry}`;
		const known = this.known.get(key);
		if (known) return known;
		const numbers = readEntry(entry, defaultCountry);
		this.known.set(key, numbers);
		return numbers;
	}
}

function entriesOf(value: unknown): string[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return entriesOfList(value);
	if (typeof value === 'number') return [String(value)];
	if (typeof value !== 'string') {
		throw new InvalidParameter(LABEL, 'must be phone numbers, or a list of phone numbers', value);
	}
	// "312-555-0188, ext. 204" and "+13125550188;ext=204" are one number each.
	return (
		asPlainText(value)
			.split(/[\n\r|]+|[,;](?!\s*(?:ext|x|#))/i)
			// 13125550188.0 is how a table of numbers is exported.
			.map((entry) => entry.trim().replace(/\.0$/, ''))
			.filter((entry) => entry !== '')
	);
}

/** A list of empty entries was most likely read from the wrong column. */
function entriesOfList(list: unknown[]): string[] {
	const entries = list.flatMap(entriesOf);
	if (list.length === 0 || entries.length > 0) return entries;
	throw new InvalidParameter(
		LABEL,
		`is a list of ${list.length} empty values; check the column it is read from`,
	);
}

/** All numbers that an entry may mean: too many is safe here, too few is not. */
function readEntry(entry: string, defaultCountry: string): string[] {
	const number = numberIn(entry, defaultCountry) ?? asPossible(entry);
	const readings = [
		...(number === undefined ? [] : [withoutOldPrefix(number)]),
		...withPlus(entry),
	];
	if (readings.length > 0) return [...new Set(readings)];
	throw new InvalidParameter(
		LABEL,
		'has an entry that is not a phone number; correct it or remove it',
		entry,
	);
}

/** "525512345678": the country code without its plus, as databases often have it. */
function withPlus(entry: string): string[] {
	const digits = entry.replace(/[\s().\p{Pd}]/gu, '');
	if (!/^[1-9]\d{10,14}$/.test(digits)) return [];
	const number = parsePhoneNumberFromString(withoutOldPrefix(`+${digits}`));
	return number?.isValid() ? [number.number] : [];
}

/**
 * An extension may follow, or a remark after a space. Other digits would be a second number, and a
 * letter right after the last digit may stand for one.
 */
const NUMBER_AND_REMARK =
	/^(\+[\d\s().\p{Pd}]+)(?:(?:(?<=\D)\D*)?|[\s,;]*(?:ext\w*|x|#)[.:=\s]*\d{1,6})$/iu;

/** A number with a country code but in no numbering plan can be called as typed. */
function asPossible(entry: string): string | undefined {
	const digits = NUMBER_AND_REMARK.exec(entry)?.[1]?.replace(/[^\d+]/g, '');
	if (digits === undefined) return undefined;
	return parsePhoneNumberFromString(digits)?.isPossible() === true ? digits : undefined;
}
