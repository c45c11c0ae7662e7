import { parsePhoneNumberFromString } from '../../plan/phoneLibrary';
import { COUNTRIES, PREFIXES, ZONES } from './zoneTable';

type Table = ReadonlyMap<string, readonly string[]>;

const names = ZONES.split(',');
const byPrefix = read(PREFIXES);
const byCountry = read(COUNTRIES);

/**
 * The time zones that a number may be in, by its first digits; empty if the table has none. They
 * say where such numbers are assigned, not where the phone is.
 *
 * @param e164 number with + and country code
 * @returns IANA names
 */
export function zonesOfNumber(e164: string): readonly string[] {
	const digits = e164.replace(/\D/g, '');
	for (let length = digits.length; length > 0; length--) {
		const prefix = digits.slice(0, length);
		const zones = byPrefix.get(prefix);
		if (!zones) continue;
		return prefix === '1' ? (byCountry.get(countryOf(e164)) ?? zones) : zones;
	}
	return [];
}

function countryOf(e164: string): string {
	return parsePhoneNumberFromString(e164)?.country ?? '';
}

function read(table: string): Table {
	return new Map(
		table.split(',').map((entry) => {
			const [key = '', numbers = ''] = entry.split(' ');
			return [key, numbers.split('&').map((number) => names[Number(number)] ?? '')];
		}),
	);
}
