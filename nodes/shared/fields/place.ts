import { InvalidParameter } from './invalidParameter';
import type { Field, Parameters } from './parameters';

/** Two-letter codes of the United States with their territories, and of Canada. */
const STATES = new Set(
	`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
	NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI
	AB BC MB NB NL NS NT NU ON PE QC SK YT`.split(/\s+/),
);

const CITY_AND_STATE = /^([^,]*\p{L}[^,]*?)(?:\s*,\s*|\s+)([a-z]{2})$/iu;

/**
 * A place as the service searches it, "City, ST" (contract 4.3: city, state format).
 * "chicago,il" and "CHICAGO IL" are taken as "Chicago, IL"; a city in mixed case stays as it is.
 *
 * @throws InvalidParameter when empty, or not a city and a state or province
 */
export function readPlace(parameters: Parameters, field: Field): string {
	const text = parameters.text({ maxLength: 100, ...field }).replace(/\s+/g, ' ');
	const [, city = '', state = ''] = CITY_AND_STATE.exec(text) ?? [];
	const code = state.toUpperCase();
	if (city !== '' && STATES.has(code)) return `${capitalized(city.trim())}, ${code}`;
	const problem =
		'needs City, ST with the two letters of a US state or Canadian province, like Chicago, IL';
	throw new InvalidParameter(field.displayName, problem, text);
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
