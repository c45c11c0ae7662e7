import { convert } from '../../shared/fields/field';
import type { Field } from '../../shared/fields/fieldTypes';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { text } from '../../shared/fields/simpleFields';

/** The United States with its territories, and Canada. */
const STATES = `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado,
	CT Connecticut, DE Delaware, DC District of Columbia, DC D.C., FL Florida, GA Georgia, HI Hawaii,
	ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine,
	MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana,
	NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
	NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania,
	RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont,
	VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam,
	MP Northern Mariana Islands, PR Puerto Rico, VI Virgin Islands, AB Alberta, BC British Columbia,
	MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
	NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, QC Québec,
	SK Saskatchewan, YT Yukon`
	.replace(/\s+/g, ' ')
	.split(', ');

/** State codes, by code and full name in lower case. */
const CODES = new Map(
	STATES.flatMap((state) => {
		const [code, name] = [state.slice(0, 2), state.slice(3)];
		return [code, name].map((key) => [key.toLowerCase(), code] as const);
	}),
);

const COUNTRY = /(?: ?, ?| )(?:USA?|U\.S\.A?\.|United States|Canada)$/i;
const POSTAL_CODE = /,? (?:\d{5}(?:-\d{4})?|[a-z]\d[a-z] ?\d[a-z]\d)$/i;

/**
 * Converts a place to "City, ST" (contract 4.3) if it is certain to be one: "Chicago il 60601" and
 * "Chicago, Illinois" become "Chicago, IL". Anything else with a comma, such as a Mexican state, is
 * sent as typed. The city's spelling never changes.
 */
export function place(options: { label: string; example: string; about: string }): Field<string> {
	const typed = text({ ...options, required: true, maxLength: 100, check: needsCityAndState });
	return convert(typed, (words) => {
		const read = cityAndState(words);
		if (read.includes(',')) return read;
		const advice = `Add the state: ${options.example}, for example.`;
		throw new InvalidParameter(advice, `${options.label} has none`, words);
	});
}

/** Without a comma, only a code is certain to be a state: "Port Washington" is a city. */
function cityAndState(typed: string): string {
	const words = typed.replace(/\s+/g, ' ');
	const bare = words.replace(COUNTRY, '').replace(POSTAL_CODE, '');
	const comma = bare.indexOf(',');
	const at = comma < 0 ? bare.lastIndexOf(' ') : comma;
	const city = bare.slice(0, at).replace(/[ \p{Pd}]{1,10}$/u, '');
	const state = bare.slice(at + 1).trim();
	const isUnclear = comma < 0 && (state.length > 2 || /^la$/i.test(state));
	const code = isUnclear ? undefined : CODES.get(state.toLowerCase());
	return code === undefined || !/\p{L}/u.test(city) ? words : `${city}, ${code}`;
}

/** Without one of the two, which an expression may not have found, the service would search elsewhere. */
function needsCityAndState(typed: string): string | undefined {
	const isMissing = (part: string) => /^(undefined|null)?$/.test(part.trim());
	const isPlace = /\p{L}/u.test(typed) && !typed.split(',').some(isMissing);
	return isPlace ? undefined : 'must be a city and state, like Chicago, IL';
}
