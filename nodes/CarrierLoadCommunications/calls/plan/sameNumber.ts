import { parsePhoneNumberFromString } from './phoneLibrary';
import { splitExtension, withoutExtension } from './extension';
import { NOT_IN_A_NUMBER, withoutOldPrefix } from './phoneNumber';

/** `unclear`: the listed number may be the same, or is missing. */
export type Match = 'same' | 'unclear' | 'other';

/** Numbers whose last digits differ are different. */
const LAST_DIGITS = 7;

/**
 * Whether a listed number is the one that was called (in the contract's format, 4.5). Extensions
 * count if both have one. Part of a number, such as `***-0188`, is unclear.
 */
export function matchNumber(toPhone: string, written: unknown): Match {
	const text = typeof written === 'number' ? String(written) : written;
	if (typeof text !== 'string') return 'unclear';
	const { number, inText } = splitExtension(text);
	const theirs = withoutOldPrefix(`+${number.replace(/\D/g, '')}`).slice(1);
	const mine = withoutOldPrefix(withoutExtension(toPhone));
	if (theirs.length < LAST_DIGITS) return 'unclear';
	if (theirs.slice(-LAST_DIGITS) !== mine.slice(-LAST_DIGITS)) {
		// "+1312555****", or "13125550188,,204", where an extension follows the number.
		const isPartial = NOT_IN_A_NUMBER.test(number) || theirs.startsWith(mine.slice(1));
		return isPartial ? 'unclear' : 'other';
	}

	const extension = /;ext=(\d+)/.exec(toPhone)?.[1];
	if (extension !== undefined && inText !== undefined && extension !== inText) return 'other';
	if (theirs === mine.slice(1)) return 'same';
	const national = parsePhoneNumberFromString(mine)?.nationalNumber;
	if (number.startsWith('+')) return theirs === national ? 'unclear' : 'other';
	const dialed = [theirs, theirs.replace(/^0+/, ''), theirs.replace(/^011/, '')];
	return dialed.some((digits) => digits === national || `+${digits}` === mine) ? 'same' : 'unclear';
}

/** Groups numbers before they are compared; undefined if some of the last digits may be missing. */
export function lastDigits(written: unknown): string | undefined {
	if (typeof written !== 'string' && typeof written !== 'number') return undefined;
	const { number } = splitExtension(String(written));
	const digits = number.replace(/\D/g, '');
	return digits.length < LAST_DIGITS || NOT_IN_A_NUMBER.test(number)
		? undefined
		: digits.slice(-LAST_DIGITS);
}
