import { hasNewAreaCode } from '../phone';
import { parsePhoneNumberFromString } from '../phoneLibrary';
import { COUNTRIES, PREFIXES, ZONES } from './zoneTable';

type Table = ReadonlyMap<string, readonly string[]>;

const names = ZONES.split(',');
const byPrefix = read(PREFIXES);
const byCountry = read(COUNTRIES);

/** A new area code may be anywhere in the contiguous United States or Canada. */
const zonesOfNewCodes = [
	...new Set([...(byCountry.get('US') ?? []), ...(byCountry.get('CA') ?? [])]),
];

/**
 * The time zones (IANA names) where numbers that begin like this one (E.164) are assigned, which says
 * nothing about where the phone is; empty if the table has none.
 */
export function zonesOfNumber(e164: string): readonly string[] {
	const digits = e164.replace(/\D/g, '');
	for (let length = digits.length; length > 0; length--) {
		const prefix = digits.slice(0, length);
		const zones = byPrefix.get(prefix);
		if (!zones) continue;
		if (prefix === '1' && hasNewAreaCode(e164)) return zonesOfNewCodes;
		const country = prefix === '1' ? parsePhoneNumberFromString(e164)?.country : undefined;
		return byCountry.get(country ?? '') ?? zones;
	}
	return [];
}

function read(table: string): Table {
	return new Map(
		table.split(',').map((entry) => {
			const [key = '', numbers = ''] = entry.split(' ');
			return [key, numbers.split('&').map((number) => names[Number(number)] ?? '')];
		}),
	);
}
