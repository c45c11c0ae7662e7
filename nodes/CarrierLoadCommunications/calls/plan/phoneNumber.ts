import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { countryName } from '../fields/countries';
import { asPlainText, oneExtension, readExtension, splitExtension } from './extension';
import {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from './phoneLibrary';

/** `+` and country code, then the extension (contract 4.5). */
const CONTRACT_FORM = /^\+[1-9]\d{6,14}(;ext=\d{1,11})?$/;

/** Anything but digits and what separates them: spaces and dashes of any kind. */
export const NOT_IN_A_NUMBER = /[^\d+().\s\p{Pd}]/u;

/** "55 1234 5678": how numbers are grouped in Mexico, but never in the United States. */
const MEXICAN_GROUPS = /^\(?\d{2}\)?[\s.\p{Pd}]+\d{4}[\s.\p{Pd}]+\d{4}$/u;

export interface PhoneInput {
	/** The number as written in the user's system. */
	text: string;
	/** From the Extension field; digits. */
	extension?: string | undefined;
	/** ISO 3166 code of the country for numbers without a country code. */
	defaultCountry: string;
	/** Send the text unchanged if it has the contract's format. */
	asIs: boolean;
	/** Label of the field with the number; To Phone by default. */
	label?: string;
}

/**
 * Converts a phone number to the contract's format (4.5). Rejects any number that its country's
 * numbering plan doesn't have: calling a stranger is worse than correcting a row. Plans change and
 * the library's copy ages, so `asIs` skips that check.
 *
 * @throws InvalidParameter that says why the number can't be called
 */
export function readPhoneNumber(input: PhoneInput): string {
	const { defaultCountry, label = 'To Phone' } = input;
	const text = asPlainText(input.text);
	const fieldExtension = readExtension(input.extension);
	if (input.asIs) return asItIs(text, fieldExtension, label);

	const { number, inText } = splitExtension(text);
	const extension = oneExtension(inText, fieldExtension, text, label);
	const read = readNumber(number, defaultCountry);
	if ('problem' in read) throw new InvalidParameter(label, read.problem, text);
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

/** The number as E.164, or half a sentence about what is wrong with it. */
function readNumber(written: string, country: string): { e164: string } | { problem: string } {
	if (!isSupportedCountry(country)) {
		throw new InvalidParameter('Default Country', 'is not a country with phone numbers', country);
	}
	const foreign = NOT_IN_A_NUMBER.exec(written)?.[0];
	if (foreign !== undefined) {
		const what = /\p{L}/u.test(foreign) ? 'contains letters' : `contains "${foreign}"`;
		return { problem: `${what}; it must be one phone number` };
	}
	if ((country === 'US' || country === 'CA') && MEXICAN_GROUPS.test(written.trim())) {
		return {
			problem: 'is grouped like a Mexican number; start it with +52, or with +1 if it is not',
		};
	}
	const number = inTodaysForm(written, country);
	const parsed = parsePhoneNumberFromString(number, { defaultCountry: country, extract: false });
	if (parsed?.isValid()) return { e164: parsed.number };
	const length = validatePhoneNumberLength(number, { defaultCountry: country });
	if (length === 'TOO_SHORT') return { problem: 'has too few digits' };
	if (length === 'TOO_LONG') return { problem: 'has too many digits' };
	if (length === 'NOT_A_NUMBER' || !/\d/.test(number)) return { problem: 'is not a phone number' };
	if (length === 'INVALID_COUNTRY' || parsed === undefined) {
		return { problem: 'starts with a country code that does not exist' };
	}
	const where = written.trim().startsWith('+')
		? ''
		: ` in the default country, ${countryName(country)}`;
	return {
		problem: `is not a number that exists${where}; if it does, write it with + and country code and turn on the option Send Phone Number as Typed`,
	};
}

/** Many address books still have Mexico's prefixes from before 2019: 01, 044, 045, and 1 after +52. */
function inTodaysForm(number: string, country: string): string {
	const digits = number.replace(/[^\d+]/g, '');
	const national = country === 'MX' ? /^(?:01|044|045)(\d{10})$/.exec(digits)?.[1] : undefined;
	if (national !== undefined) return `+52${national}`;
	return digits.startsWith('+521') ? withoutOldPrefix(digits) : number;
}

function asItIs(text: string, fieldExtension: string | undefined, label: string): string {
	const extension = oneExtension(/;ext=(\d+)$/.exec(text)?.[1], fieldExtension, text, label);
	const whole =
		extension === undefined ? text : `${text.replace(/;ext=\d+$/, '')};ext=${extension}`;
	if (CONTRACT_FORM.test(whole)) return whole;
	throw new InvalidParameter(
		label,
		'must be written like +13125550188 or +13125550188;ext=204 when it is sent as typed',
		text,
	);
}
