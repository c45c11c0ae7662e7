import { ADDITIONAL } from '../../shared/fields/readCollection';
import type { Parameters } from '../../shared/fields/parameters';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { countryName, extensionText, phoneOptions, toPhone } from './phoneFields';
import {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from './phoneLibrary';

/** The number in the contract's format (4.5). @throws InvalidParameter if it can't be called */
export function readToPhone(parameters: Parameters): string {
	return readPhoneNumber({
		text: toPhone.read(parameters, 'toPhone'),
		extension: extensionText.read(parameters, `${ADDITIONAL}.extension`),
		defaultCountry: readDefaultCountry(parameters),
		asIs: phoneOptions.sendPhoneAsIs.read(parameters, 'options.sendPhoneAsIs'),
	});
}

/** ISO 3166 code of the country for numbers without a country code. */
export function readDefaultCountry(parameters: Parameters): string {
	return phoneOptions.defaultCountry.read(parameters, 'options.defaultCountry').toUpperCase();
}

/** @throws InvalidParameter unless they are ISO 3166 codes of countries with a numbering plan */
export function countryCodes(label: string) {
	return (codes: readonly string[]): string[] =>
		codes.map((code) => {
			const country = code.toUpperCase();
			if (isSupportedCountry(country)) return country;
			throw new InvalidParameter(label, 'must be ISO country codes such as US', code);
		});
}

/** Anything but digits and what separates them: spaces and dashes of any kind. */
const NOT_IN_A_NUMBER = /[^\d+().\s\p{Pd}]/u;
/** "55 1234 5678": how numbers are grouped in Mexico, but never in the United States. */
const MEXICAN_GROUPS = /^\(?\d{2}\)?[\s.\p{Pd}]+\d{4}[\s.\p{Pd}]+\d{4}$/u;
/** "(312) 555-0188": how numbers are grouped in the United States, and sometimes in Mexico. */
const AMERICAN_GROUPS = /^\(?\d{3}\)?[\s.\p{Pd}]{0,3}\d{3}[\s.\p{Pd}]{1,3}\d{4}$/u;
/** Ten digits of the North American plan, with its code that no country's table has yet. */
const NORTH_AMERICAN = /^(?:\+?1)?([2-9](?!11)\d{2})[2-9]\d{6}$/;

/** Whether a US or Canadian number has an area code unknown to the library: new ones come every year. */
export function hasNewAreaCode(number: string, country = 'US'): boolean {
	const isHere = number.trim().startsWith('+') || country === 'US' || country === 'CA';
	const [, code] = (isHere && NORTH_AMERICAN.exec(number.replace(/[^\d+]/g, ''))) || [];
	// Reserved codes (NANPA): N9X, 37X, 96X, and 555, which films use.
	if (code === undefined || /^(?:.9|37|96|555)/.test(code)) return false;
	return parsePhoneNumberFromString(`+1${code}2345678`)?.country === undefined;
}

export interface PhoneInput {
	text: string;
	extension?: string | undefined;
	defaultCountry: string;
	/** Send the number unchanged if it has the contract's format. */
	asIs?: boolean;
	label?: string;
}

/**
 * Converts a phone number to the contract's format (4.5): `+` and country code, then the extension.
 * Rejects any number that its country's numbering plan doesn't have: calling a stranger is worse than
 * correcting a row. Plans change and the library's copy ages, so `asIs` skips that check.
 * @throws InvalidParameter that says why the number can't be called
 */
export function readPhoneNumber(input: PhoneInput): string {
	const { asIs, defaultCountry, label = 'To Phone' } = input;
	const text = asPlainText(input.text);
	const { number, inText } = splitExtension(text);
	const inField = input.extension?.trim().replace(/^(?:extension|extn|ext|x|#)[.:=\s]*/i, '');
	if (inField !== undefined && !EXTENSION_DIGITS.test(inField)) {
		throw new InvalidParameter('Extension', 'must be 1 to 11 digits', input.extension);
	}
	if (inText !== undefined && !EXTENSION_DIGITS.test(inText)) {
		throw new InvalidParameter(label, 'has an extension of more than 11 digits', text);
	}
	if (inText !== undefined && inField !== undefined && inText !== inField) {
		const problem = `is ${inField}, but the phone number has the extension ${inText}; leave one of them out`;
		throw new InvalidParameter('Extension', problem);
	}
	const read = asIs ? readAsTyped(number) : readNumber(number, defaultCountry);
	if ('problem' in read) throw new InvalidParameter(label, read.problem, text);
	const extension = inText ?? inField;
	return extension === undefined ? read.e164 : `${read.e164};ext=${extension}`;
}

/** The E.164 number in a text, without its extension; undefined if there is none. */
export function numberIn(text: string, defaultCountry: string): string | undefined {
	const read = readNumber(splitExtension(text).number, defaultCountry);
	return 'e164' in read ? read.e164 : undefined;
}

/** Without the 1 that Mexico's mobile numbers had after the country code until 2019. */
export function withoutOldPrefix(e164: string): string {
	return e164.replace(/^\+521(?=\d{10}(;|$))/, '+52');
}

/** A number as E.164, or half a sentence about what is wrong with it. */
type Read = { e164: string } | { problem: string };

function readAsTyped(number: string): Read {
	const problem =
		'must be written like +13125550188 or +13125550188;ext=204 when it is sent as typed';
	return /^\+[1-9]\d{6,14}$/.test(number) ? { e164: number } : { problem };
}

function readNumber(written: string, country: string): Read {
	if (!isSupportedCountry(country)) {
		throw new InvalidParameter('Default Country', 'is not a supported country code', country);
	}
	const foreign = NOT_IN_A_NUMBER.exec(written)?.[0];
	if (foreign !== undefined) {
		const what = /\p{L}/u.test(foreign) ? 'contains letters' : `contains "${foreign}"`;
		return { problem: `${what}; it must be one phone number` };
	}
	if ((country === 'US' || country === 'CA') && MEXICAN_GROUPS.test(written.trim())) {
		const problem = 'is grouped like a Mexican number; start it with +52, or with +1 if it is not';
		return { problem };
	}
	if (country === 'MX' && AMERICAN_GROUPS.test(written.trim())) {
		const isAmerican = parsePhoneNumberFromString(written, 'US')?.isValid();
		const problem = 'is grouped like a US number; start it with +1, or with +52 if it is Mexican';
		if (isAmerican || hasNewAreaCode(written)) return { problem };
	}
	const number = inTodaysForm(written, country);
	if (hasNewAreaCode(number, country)) return { e164: `+1${number.replace(/\D/g, '').slice(-10)}` };
	const parsed = parsePhoneNumberFromString(number, { defaultCountry: country, extract: false });
	if (parsed?.isValid()) return { e164: parsed.number };
	const length = validatePhoneNumberLength(number, { defaultCountry: country });
	if (length === 'TOO_SHORT') return { problem: 'has too few digits' };
	if (length === 'TOO_LONG') return { problem: 'has too many digits' };
	if (length === 'NOT_A_NUMBER' || !/\d/.test(number)) return { problem: 'is not a phone number' };
	if (length === 'INVALID_COUNTRY' || parsed === undefined) {
		return { problem: 'starts with a country code that is not known' };
	}
	const where = number.startsWith('+') ? '' : ` in the default country, ${countryName(country)}`;
	return {
		problem: `is no possible phone number${where}; if it is right, write it with + and country code and turn on the option Send Phone Number as Typed`,
	};
}

/** Many address books still have Mexico's prefixes from before 2019: 01, 044, 045, and 1 after +52. */
function inTodaysForm(written: string, country: string): string {
	const digits = written.replace(/[^\d+]/g, '');
	// 00 is how most of the world dials abroad, and copies of address books have 001 in front of US numbers.
	if (/^001\d{10}$/.test(digits)) return `+${digits.slice(2)}`;
	const national = country === 'MX' ? /^(?:01|044|045)(\d{10})$/.exec(digits)?.[1] : undefined;
	if (national !== undefined) return `+52${national}`;
	return digits.startsWith('+521') ? withoutOldPrefix(digits) : written.trim();
}

const EXTENSION_IN_TEXT = /(?:;ext=|extension|extn|ext|x|#)[.:=\s]{0,5}(\d{1,20})\s?\)?$/i;
const EXTENSION_DIGITS = /^\d{1,11}$/;

/** Without wide digits and unseen marks. A footnote's ² stays: as a 2, it could complete another number. */
export function asPlainText(text: string): string {
	return text
		.replaceAll(/\P{No}+/gu, (part) => part.normalize('NFKC'))
		.replaceAll(/\p{Cf}/gu, '')
		.trim();
}

/** A number as written, and its extension. Both with a remark are shorter than 100 characters. */
function splitExtension(given: string): { number: string; inText: string | undefined } {
	const text = asPlainText(given.slice(0, 100));
	const written = EXTENSION_IN_TEXT.exec(text);
	const number = text
		.slice(0, written?.index ?? text.length)
		.replace(/[\s,;(]{1,10}$/, '')
		.replace(/^tel:\s?/i, '');
	return { number, inText: written?.[1] };
}

export function withoutExtension(phone: string): string {
	return phone.split(';', 1)[0] ?? '';
}

export function extensionOf(phone: string): string | undefined {
	return /;ext=(\d{1,11})$/.exec(phone)?.[1];
}

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

	const extension = extensionOf(toPhone);
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
