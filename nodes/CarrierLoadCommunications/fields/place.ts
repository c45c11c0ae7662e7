import type { Field } from '../../shared/fields/field';
import { convert } from '../../shared/fields/field';
import { text } from '../../shared/fields/text';

/** Two-letter codes of the United States with their territories, and of Canada. */
const STATES = new Set(
	`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
	NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI
	AB BC MB NB NL NS NT NU ON PE QC SK YT`.split(/\s+/),
);

/** City, two-letter state, and perhaps a ZIP or postal code. */
const CITY_AND_STATE =
	/^([^,]*\p{L}[^,]*?)(?:\s*,\s*|\s+)([a-z]{2})(?:\s+(?:\d{5}(?:-\d{4})?|[a-z]\d[a-z]\s?\d[a-z]\d))?$/iu;

/**
 * A place as the service searches it, "City, ST" (contract 4.3: city, state format), where the typed
 * text is certain to be one: "Chicago il 60601" becomes "Chicago, IL". Anything else, such as a
 * Mexican state, is sent as it was typed. The city always keeps its spelling.
 */
export function place(options: { label: string; example: string; about: string }): Field<string> {
	const typed = text({ ...options, required: true, maxLength: 100, check: needsLetters });
	return convert(typed, cityAndState);
}

function cityAndState(typed: string): string {
	const words = typed.replace(/\s+/g, ' ');
	const [, city = '', state = ''] = CITY_AND_STATE.exec(words) ?? [];
	const code = state.toUpperCase();
	return city !== '' && STATES.has(code) ? `${city.trim()}, ${code}` : words;
}

function needsLetters(typed: string): string | undefined {
	return /\p{L}/u.test(typed) ? undefined : 'must be a city and state, like Chicago, IL';
}
