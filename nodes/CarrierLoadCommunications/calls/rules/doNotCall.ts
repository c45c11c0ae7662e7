import type { IDataObject } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { isJsonObject } from '../../../shared/service/json';
import { parsePhoneNumberFromString } from '../phoneLibrary';
import { asPlainText, withoutExtension, numberIn, withoutOldPrefix } from '../phone';
import type { PlannedCall, Refusal } from '../call';

export interface DoNotCall {
	/** E.164 numbers without extension. */
	numbers: ReadonlySet<string>;
	onListed: 'error' | 'skip';
}

const LABEL = 'Do Not Call';

/** Refuses a call to a listed number, with any extension. */
export function refuseListed(
	{ numbers, onListed }: DoNotCall,
	call: Pick<PlannedCall, 'toPhone'>,
): Refusal | undefined {
	if (!numbers.has(comparable(withoutExtension(call.toPhone)))) return undefined;
	return {
		...(onListed === 'skip' && { skippedAs: 'doNotCall' }),
		inShort: 'on the do-not-call list',
		reason: `${call.toPhone} is on the do-not-call list`,
		advice: 'Take the number off the list only if the person agreed to be called again',
	};
}

/** A number as typed may have a trunk prefix: +4402079460958 is +442079460958. */
function comparable(e164: string): string {
	return withoutOldPrefix(parsePhoneNumberFromString(e164)?.number ?? e164);
}

interface Entry {
	where: string;
	text: string;
}

/** Lists are long and mostly the same for all items, so an equal list is read once. */
let last = { source: '', numbers: new Set<string>() };

/**
 * @param value text with numbers separated by commas, semicolons or lines; a list of such texts; or
 * rows of a table, as `$('Node').all()` gives them
 * @param country of numbers without a country code
 * @throws InvalidParameter for blank text, and for an entry or a row without a readable number,
 * because the rule would block no one
 */
export function readDoNotCall(value: unknown, country: string): ReadonlySet<string> {
	const entries = Array.isArray(value) ? entriesOfList(value) : entriesOfText(value, '');
	if (entries.length === 0 && !Array.isArray(value)) {
		const problem = 'is empty, so it would block no one; enter numbers, or remove the rule';
		throw new InvalidParameter(LABEL, problem);
	}
	const source = [country, ...entries.map(({ text }) => text)].join('\n');
	if (last.source !== source) {
		last = { source, numbers: new Set(entries.flatMap((entry) => numbersOf(entry, country))) };
	}
	return last.numbers;
}

function entriesOfText(value: unknown, where: string): Entry[] {
	if (value === null || value === undefined) return [];
	if (Array.isArray(value)) return value.flatMap((each) => entriesOfText(each, where));
	if (typeof value !== 'string' && typeof value !== 'number') {
		throw new InvalidParameter(LABEL, 'must be phone numbers, or the rows of a table', value);
	}
	const lines = asPlainText(String(value)).split(/\r\n|[\n\r]/);
	return lines.flatMap((line, index) => {
		const inLine = where === '' && lines.length > 1 ? ` in line ${index + 1}` : where;
		// "312-555-0188, ext. 204" and "+13125550188;ext=204" are one number each.
		const parts = line.split(/[|]+|[,;](?!\s{0,10}(?:ext|x|#))/i);
		// 13125550188.0 is how a table of numbers is exported.
		const texts = parts.map((part) => part.trim().replace(/\.0$/, ''));
		return texts.filter((text) => text !== '').map((text) => ({ where: inLine, text }));
	});
}

/** An empty list, from an empty table, is fine. A list of empty entries was read from the wrong column. */
function entriesOfList(list: unknown[]): Entry[] {
	const entries = list.flatMap((each, index) => {
		const where = ` in row ${index + 1}`;
		if (!isJsonObject(each)) return entriesOfText(each, where);
		return entriesOfRow(isJsonObject(each.json) ? each.json : each, where);
	});
	if (entries.length > 0 || list.every(isJsonObject)) return entries;
	throw new InvalidParameter(
		LABEL,
		`is a list of ${list.length} empty values; check the column it is read from`,
	);
}

/** Names of the column with the number, in lower case and without spaces. */
const NUMBER_COLUMN =
	/^(?:to|contact|driver|dispatcher|carrier|caller)?(?:phone|mobile|cell|cellphone|tel|telephone)(?:number|no)?$|^number$/;

/** Columns that n8n and Google Sheets add on their own. */
const AUTOMATIC = new Set(['id', 'createdat', 'updatedat', 'rownumber']);

function entriesOfRow(row: IDataObject, where: string): Entry[] {
	const filled = Object.entries(row)
		.map(([name, value]): [string, unknown] => [name.toLowerCase().replace(/[\s_-]/g, ''), value])
		.filter(([name, value]) => !AUTOMATIC.has(name) && String(value ?? '').trim() !== '');
	const numbers = filled.filter(([name]) => NUMBER_COLUMN.test(name));
	const entries = numbers.flatMap(([, value]) => entriesOfText(value, where));
	if (entries.length > 0 || filled.length === 0) return entries;
	throw new InvalidParameter(
		LABEL,
		`has no phone number${where}; name the column "phone", and check that the list was read without an error`,
	);
}

/** All numbers that an entry may mean: too many is safe here, too few is not. */
function numbersOf({ text, where }: Entry, country: string): string[] {
	const number = numberIn(text, country);
	// "525512345678": the country code without its plus, as databases often have it.
	const digits = text.replace(/[\s().\p{Pd}]/gu, '');
	const withPlus = /^[1-9]\d{10,14}$/.test(digits) ? numberIn(`+${digits}`, country) : undefined;
	const readings = [number, withPlus].filter((reading) => reading !== undefined);
	if (readings.length > 0) return readings.map(comparable);
	throw new InvalidParameter(
		LABEL,
		`has an entry${where} that is not a phone number; correct it or remove it`,
		text,
	);
}
