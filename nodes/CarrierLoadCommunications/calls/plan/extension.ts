import { InvalidParameter } from '../../../shared/fields/invalidParameter';

const EXTENSION_IN_TEXT = /[\s,;(]*(?:;ext=|extension|extn|ext|x|#)[.:=\s]*(\d+)\s*\)?$/i;
const EXTENSION_DIGITS = /^\d{1,11}$/;

/**
 * Without wide digits and what is copied along unseen, such as marks for the writing direction. A
 * footnote's ² stays: as a 2, it could complete another number.
 */
export function asPlainText(text: string): string {
	return text
		.replaceAll(/\P{No}+/gu, (part) => part.normalize('NFKC'))
		.replaceAll(/\p{Cf}/gu, '')
		.trim();
}

/** A number as written, and its extension. */
export function splitExtension(given: string): { number: string; inText: string | undefined } {
	const text = asPlainText(given);
	const written = EXTENSION_IN_TEXT.exec(text);
	const number = text.slice(0, written?.index ?? text.length).replace(/^tel:\s*/i, '');
	return { number, inText: written?.[1] };
}

/** The number without its extension, for comparison. */
export function withoutExtension(phone: string): string {
	return phone.replace(/;.*$/, '');
}

/** The digits of the Extension field. */
export function readExtension(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const digits = text.trim().replace(/^(?:extension|extn|ext|x|#)[.:=\s]*/i, '');
	if (EXTENSION_DIGITS.test(digits)) return digits;
	throw new InvalidParameter('Extension', 'must be 1 to 11 digits', text);
}

/** The extension in the number or in its field. @throws InvalidParameter if they differ */
export function oneExtension(
	inNumber: string | undefined,
	inField: string | undefined,
	shown: string,
	label: string,
): string | undefined {
	if (inNumber !== undefined && !EXTENSION_DIGITS.test(inNumber)) {
		throw new InvalidParameter(label, 'has an extension of more than 11 digits', shown);
	}
	if (inNumber === undefined || inField === undefined || inNumber === inField) {
		return inNumber ?? inField;
	}
	throw new InvalidParameter(
		'Extension',
		`is ${inField}, but the phone number has the extension ${inNumber}; leave one of them out`,
	);
}
