import { createRequire } from 'node:module';
import fc from 'fast-check';
import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
	type CountryCode,
} from 'libphonenumber-js/max';

const require = createRequire(import.meta.url);
const examples = require('libphonenumber-js/examples.mobile.json') as Record<string, string>;

/** A number, and the country that has it. */
export interface DrawnNumber {
	e164: string;
	country: string;
	/** Whether it must not be called unless vouched for. */
	special: boolean;
	/** Whether it can be called: the numbering plans have it, or its area code is new. */
	exists: boolean;
	/** Whether it can be on a list in any spelling. */
	listable: boolean;
}

/** Area codes in use that the library doesn't know. */
export const NEW_CODES = ['436', '621', '679', '729', '837', '861'];
const isNew = (e164: string) => NEW_CODES.some((code) => e164.startsWith(`+1${code}`));

/** Area codes by their real country, written down by hand. */
const AREAS: Record<string, number[]> = {
	US: [
		// Overlays whose published zones are fewer than those of the codes that they overlay.
		364,
		448,
		458,
		930,
		986,
		...NEW_CODES.map(Number),
		201,
		205,
		206,
		208,
		212,
		213,
		219,
		270,
		305,
		308,
		312,
		415,
		423,
		480,
		505,
		512,
		541,
		574,
		602,
		605,
		606,
		620,
		701,
		702,
		713,
		785,
		801,
		808,
		812,
		816,
		850,
		901,
		906,
		907,
		915,
		928,
	],
	CA: [
		236, 257, 367, 431, 474, 581, 584, 639, 672, 778, 879, 204, 250, 403, 416, 418, 506, 514, 604,
		613, 709, 780, 807, 867, 902,
	],
	PR: [787, 939],
	JM: [876],
	DO: [809, 829, 849],
};

/** Mexican area codes of every zone that the country has. */
const MEXICO = [33, 55, 81, 222, 311, 322, 444, 612, 614, 624, 656, 662, 664, 686, 867, 984, 998];

/** Prefixes of numbers that cost extra or have no country; the rest of the digits are drawn. */
const SPECIAL: Array<[prefix: string, digits: number, country: string]> = [
	['+1900', 7, 'US'],
	['+1500', 7, 'US'],
	['+1312976', 4, 'US'],
	['+52900', 7, 'MX'],
	['+1416976', 4, 'CA'],
	['+44871', 7, 'GB'],
	['+44909', 7, 'GB'],
	['+4470', 8, 'GB'],
	['+49180', 7, 'DE'],
	['+49900', 7, 'DE'],
	['+8707731', 5, '001'],
	['+8816123', 5, '001'],
	['+88216', 8, '001'],
	['+8835100', 8, '001'],
	['+97912345', 4, '001'],
	['+8081234', 4, '001'],
];

const digits = (count: number) =>
	fc.integer({ min: 0, max: 10 ** count - 1 }).map((drawn) => String(drawn).padStart(count, '0'));

const exchange = fc.integer({ min: 220, max: 899 }).filter((drawn) => drawn % 100 !== 11);

const northAmerican = fc.constantFrom(...Object.keys(AREAS)).chain((country) =>
	fc
		.tuple(fc.constantFrom(...(AREAS[country] ?? [])), exchange, digits(4))
		.map(([area, middle, line]) => ({
			...{ e164: `+1${area}${middle}${line}`, country, special: false },
		})),
);

const mexican = fc.constantFrom(...MEXICO).chain((area) =>
	digits(9 - String(area).length).map((line) => ({
		...{ e164: `+52${area}2${line}`, country: 'MX', special: false },
	})),
);

/** The Isle of Man's example is within a range that libphonenumber gives to the United Kingdom. */
const elsewhere = fc
	.constantFrom(...getCountries().filter((country) => examples[country] && country !== 'IM'))
	.map((country: CountryCode) => ({
		e164: `+${getCountryCallingCode(country)}${examples[country]}`,
		country: country as string,
		special: false,
	}));

const special = fc
	.constantFrom(...SPECIAL)
	.chain(([prefix, count, country]) =>
		digits(count).map((line) => ({ e164: prefix + line, country, special: true })),
	);

export const drawnNumber: fc.Arbitrary<DrawnNumber> = fc
	.oneof(
		{ arbitrary: northAmerican, weight: 6 },
		{ arbitrary: mexican, weight: 3 },
		{ arbitrary: elsewhere, weight: 2 },
		{ arbitrary: special, weight: 1 },
	)
	.map((drawn) => {
		const listable = parsePhoneNumberFromString(drawn.e164)?.isValid() === true;
		return { ...drawn, listable, exists: listable || isNew(drawn.e164) };
	});

export const listableNumber = drawnNumber.filter(({ listable }) => listable);

/** A moment: any, or within two days of a clock change in the United States, Europe or Australia. */
const CHANGES = ['2026-03-08', '2026-11-01', '2027-03-14', '2026-03-29', '2026-10-25'].concat([
	...['2026-04-04', '2026-10-03'],
]);
const MINUTE = 60_000;
export const moment = fc.oneof(
	fc
		.integer({ min: 0, max: 3 * 365 * 24 * 60 })
		.map((minutes) => Date.parse('2025-06-01T00:00:00Z') + minutes * MINUTE + 17_000),
	fc
		.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -2 * 1440, max: 2 * 1440 }))
		.map(([day, minutes]) => Date.parse(`${day}T08:00:00Z`) + minutes * MINUTE),
);

const time = (last: number) =>
	fc
		.integer({ min: 0, max: last })
		.map((quarter) =>
			[Math.floor(quarter / 4), (quarter % 4) * 15]
				.map((part) => String(part).padStart(2, '0'))
				.join(':'),
		);

const days = fc.subarray(
	['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
	{ minLength: 1 },
);

export const hours = fc
	.record(
		{
			from: fc.oneof(fc.constant('08:00'), time(95)),
			to: fc.oneof(fc.constant('20:00'), time(96)),
			days,
		},
		{ requiredKeys: ['from', 'to'] },
	)
	.filter(({ from, to }) => from !== to);

export const hoursZone = fc.constantFrom(
	// Mostly the number's, where there is most to get wrong.
	...[undefined, undefined, undefined, undefined, 'phone', 'phone', 'phone', 'phone'],
	'workflow',
	'America/New_York',
	'America/Phoenix',
	'America/Mexico_City',
	'Europe/London',
	'America/Havana',
	'America/St_Johns',
	'Australia/Lord_Howe',
	'Asia/Kathmandu',
);

/** Ways to write a number that the rules must see through. */
const grouped = (text: string, by: string) =>
	text.replace(/(\d{3})(\d{3})(\d{4})$/, `$1${by}$2${by}$3`);
const fullWidth = (text: string) =>
	text.replace(/[+\d]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** Without the country code, if that of the default country is the number's. */
const national = (e164: string, country: string) => {
	const code = country === 'MX' ? '+52' : country === 'GB' ? '+44' : '+1';
	return e164.startsWith(code) ? (country === 'GB' ? '0' : '') + e164.slice(code.length) : e164;
};

export const defaultCountry = fc.constantFrom('US', 'US', 'CA', 'MX', 'GB');

type Spell = (number: DrawnNumber, defaultCountry: string) => string;

export const spelling = fc.constantFrom<Spell>(
	({ e164 }) => e164,
	({ e164 }) => `${e164};ext=204`,
	({ e164 }) => ` tel:${e164} `,
	({ e164 }) => `TEL:${grouped(e164, '-')};ext=7`,
	({ e164 }) => grouped(e164, ' '),
	({ e164 }) => grouped(e164, '\u00a0'),
	({ e164 }) => grouped(e164, '\u202f'),
	({ e164 }) => grouped(e164, '-'),
	({ e164 }) => grouped(e164, '.'),
	({ e164 }) => fullWidth(e164),
	({ e164 }) => fullWidth(grouped(e164, '\uff0d')),
	({ e164 }) => e164.replace(/(\d{3})(\d{7})$/, ' ($1) $2'),
	({ e164 }) => `${grouped(e164, '\u2011')} x204`,
	({ e164 }) => `${grouped(e164, '\u2013')}, Ext. 204`,
	({ e164 }, country) => national(e164, country),
	// In Mexico, a number in American groups needs its country code.
	({ e164 }, country) => grouped(country === 'MX' ? e164 : national(e164, country), '-'),
	({ e164 }) => (e164.startsWith('+1') ? e164.slice(1) : e164),
	({ e164 }) => e164.replace('+52', '+521'),
	({ e164 }) => e164.replace('+52', '+52 1 '),
	({ e164 }) => e164.replace('+52', '52'),
	({ e164 }, country) => e164.replace('+52', country === 'MX' ? '045' : '+52'),
	({ e164 }, country) => e164.replace('+', ['US', 'CA'].includes(country) ? '011 ' : '00'),
);

/** Ways to write a number that no one can be sure of: they must not look like a list without it. */
export const oddSpelling = fc.constantFrom<Spell>(
	({ e164 }) => e164.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
	({ e164 }) => grouped(e164, '\u200b'),
	({ e164 }) => grouped(e164, '/'),
	({ e164 }) => `\u202a${e164}\u202c`,
	({ e164 }) => `Luis ${e164}`,
	({ e164 }) => `${e164} Luis`,
	({ e164 }) => `${e164} or +13125550188`,
	({ e164 }) => `${e164} +13125550188`,
	({ e164 }) => `'${e164}'`,
	({ e164 }) => `callto:${e164}`,
	({ e164 }) => e164.replace(/0(?=\d*$)/, 'O'),
	({ e164 }) => `${e164}.0`,
);

export const separator = fc.constantFrom(', ', ',', '; ', '\n', '\r\n', ' | ');

export const countries = fc.option(
	fc.uniqueArray(fc.constantFrom<string>('US', 'CA', 'MX', 'PR', 'JM', 'GB', 'DE', 'BR', '001'), {
		minLength: 1,
	}),
	{ nil: undefined },
);
