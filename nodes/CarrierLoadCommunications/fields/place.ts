import type { Field } from '../../shared/fields/field';
import { convert } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { text } from '../../shared/fields/text';

/** Two-letter codes of the United States with their territories, and of Canada. */
const STATES = new Set(
	`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
	NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI
	AB BC MB NB NL NS NT NU ON PE QC SK YT`.split(/\s+/),
);

const CITY_AND_STATE = /^([^,]*\p{L}[^,]*?)(?:\s*,\s*|\s+)([a-z]{2})$/iu;

/**
 * A place as the service searches it, "City, ST" (contract 4.3: city, state format).
 * "chicago,il" and "CHICAGO IL" become "Chicago, IL"; a city in mixed case stays as it is.
 */
export function place(options: { label: string; example: string; about: string }): Field<string> {
	const typed = text({ ...options, required: true, maxLength: 100 });
	return convert(typed, (value) => parsePlace(options.label, value));
}

/** @throws InvalidParameter when it is not a city and a state or province */
function parsePlace(label: string, typed: string): string {
	const words = typed.replace(/\s+/g, ' ');
	const [, city = '', state = ''] = CITY_AND_STATE.exec(words) ?? [];
	const code = state.toUpperCase();
	if (city !== '' && STATES.has(code)) return `${capitalized(city.trim())}, ${code}`;
	const problem =
		'needs City, ST with the two letters of a US state or Canadian province, like Chicago, IL';
	throw new InvalidParameter(label, problem, words);
}

function capitalized(city: string): string {
	if (city !== city.toLowerCase() && city !== city.toUpperCase()) return city;
	return city
		.toLowerCase()
		.replace(
			/(^|[\s.-])(\p{L})/gu,
			(_match, before: string, letter: string) => before + letter.toUpperCase(),
		);
}
