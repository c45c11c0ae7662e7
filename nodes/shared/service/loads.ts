import { isScalar } from '../events/event';

/** Longer text from a service is no load ID; compared as it is. */
const MAX_LOAD_LENGTH = 200;
/** Loads in one field, and characters of its text. */
const MAX_LOADS = 100;
const MAX_LIST_LENGTH = 10_000;

/** Two spellings of a load are the same if their keys are: "Load #48213 " and "48213". */
export function loadKey(load: string): string {
	if (load.length > MAX_LOAD_LENGTH) return load;
	const words = load.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
	const key = words
		.replace(/^load(?![a-z0-9])(?: ?(?:id|number|no|nr)(?![a-z0-9]))?/, '')
		.replace(/^[\s.:#-]+/, '');
	// LD-48213, LD 48213 and LD48213; 48213.0 is how a spreadsheet exports a number.
	const joined = key
		.replace(/^([a-z]{1,10})[\s.-]{1,3}(?=\d)/, '$1')
		.replace(/^(\d{1,30})\.0$/, '$1');
	const number = /^\d+$/.test(joined) ? joined.replace(/^0+(?!$)/, '') : joined;
	return number === '' ? words : number;
}

/** The keys of the loads that a field of a record names: one load, a list, or text with several. */
export function loadsIn(field: unknown): string[] {
	const texts = [field].flat().slice(0, MAX_LOADS).filter(isScalar).map(String);
	const keys = texts
		.flatMap((text) => [text, ...text.slice(0, MAX_LIST_LENGTH).split(/[,;|\n]/, MAX_LOADS)])
		.slice(0, 2 * MAX_LOADS)
		.map(loadKey);
	return [...new Set(keys.filter((key) => key !== ''))];
}
