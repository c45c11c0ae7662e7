import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from './phoneLibrary';

/** `+` and country code, then the extension (contract 4.5). */
const CONTRACT_FORM = /^\+[1-9]\d{6,14}(;ext=\d{1,11})?$/;

const EXTENSION_IN_TEXT = /[\s,;(]*(?:;ext=|extension|extn|ext|x|#)[.:=\s]*(\d+)\s*\)?$/i;
const EXTENSION_DIGITS = /^\d{1,11}$/;

/** What may stand between the digits of a number; spaces and dashes of any kind. */
const NOT_IN_A_NUMBER = /[^\d+().\s\p{Pd}]/u;

export interface PhoneWish {
	/** The number as it stands in the user's system. */
	text: string;
	/** From the Extension field; digits. */
	extension?: string | undefined;
	/** ISO 3166 code of the country whose numbers are written without a country code. */
	defaultCountry: string;
	/** Take the text as it is when it has the contract's form. */
	asIs: boolean;
}

/**
 * A phone number in the contract's form: E.164, and `;ext=` before an extension (contract 4.5).
 *
 * A number that its country's numbering plan does not have is refused, not only one of the wrong
 * length: dialling a stranger costs more than a row to correct. Plans change and the library's
 * copy of them ages, so `asIs` goes around it for a number in the contract's form.
 *
 * @throws InvalidParameter that says why it cannot be dialled
 */
export function readPhoneNumber(wish: PhoneWish): string {
	const text = wish.text.normalize('NFKC').trim();
	const fieldExtension = readExtension(wish.extension);
	if (wish.asIs) return asItIs(text, fieldExtension);

	const written = EXTENSION_IN_TEXT.exec(text);
	const extension = oneExtension(written?.[1], fieldExtension, text);
	const number = text.slice(0, written?.index ?? text.length).replace(/^tel:\s*/i, '');
	const e164 = readNumber(number, wish.defaultCountry, text);
	return extension === undefined ? e164 : `${e164};ext=${extension}`;
}

/** The number without its extension, for comparing. */
export function withoutExtension(phone: string): string {
	return phone.replace(/;.*$/, '');
}

function readNumber(number: string, country: string, shown: string): string {
	const foreign = NOT_IN_A_NUMBER.exec(number)?.[0];
	if (foreign !== undefined) {
		const what = /\p{L}/u.test(foreign) ? 'contains letters' : `contains "${foreign}"`;
		throw undiallable(`${what}; it must be one phone number`, shown);
	}
	if (!isSupportedCountry(country)) {
		throw new InvalidParameter('Default Country', 'is not a country with phone numbers', country);
	}
	const parsed = parsePhoneNumberFromString(number, { defaultCountry: country, extract: false });
	const length = validatePhoneNumberLength(number, { defaultCountry: country });
	if (length === 'TOO_SHORT') throw undiallable('has too few digits', shown);
	if (length === 'TOO_LONG') throw undiallable('has too many digits', shown);
	if (length === 'NOT_A_NUMBER' || !/\d/.test(number)) {
		throw undiallable('is not a phone number', shown);
	}
	if (length === 'INVALID_COUNTRY' || parsed === undefined) {
		throw undiallable('starts with a country code that does not exist', shown);
	}
	if (parsed.isValid()) return parsed.number;
	const where = number.trim().startsWith('+') ? '' : ` in ${country}`;
	throw undiallable(
		`is not a number that exists${where}; if it does, write it with + and country code and switch on the option Send Phone Number as It Is`,
		shown,
	);
}

function asItIs(text: string, fieldExtension: string | undefined): string {
	const extension = oneExtension(/;ext=(\d+)$/.exec(text)?.[1], fieldExtension, text);
	const whole =
		extension === undefined ? text : `${text.replace(/;ext=\d+$/, '')};ext=${extension}`;
	if (CONTRACT_FORM.test(whole)) return whole;
	throw undiallable(
		'must be written like +13125550188 or +13125550188;ext=204 when it is sent as it is',
		text,
	);
}

function readExtension(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const digits = text.trim().replace(/^(?:extension|extn|ext|x|#)[.:=\s]*/i, '');
	if (EXTENSION_DIGITS.test(digits)) return digits;
	throw new InvalidParameter('Extension', 'must be 1 to 11 digits', text);
}

function oneExtension(
	inNumber: string | undefined,
	inField: string | undefined,
	shown: string,
): string | undefined {
	if (inNumber !== undefined && !EXTENSION_DIGITS.test(inNumber)) {
		throw undiallable('has an extension of more than 11 digits', shown);
	}
	if (inNumber === undefined || inField === undefined || inNumber === inField) {
		return inNumber ?? inField;
	}
	throw new InvalidParameter(
		'Extension',
		`is ${inField}, but the phone number has the extension ${inNumber}; leave one of them out`,
	);
}

function undiallable(problem: string, shown: string): InvalidParameter {
	return new InvalidParameter('To Phone', problem, shown);
}
