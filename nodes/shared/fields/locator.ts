import { convertGiven } from './field';
import type { Field, Filled, TextOptions } from './fieldTypes';
import { parseText } from './parse';
import { simpleField, text } from './simpleFields';

export interface LocatorOptions extends Omit<TextOptions, 'check' | 'default' | 'prefill'> {
	one: string;
	/** The node's method (`methods.listSearch`) that reads the list to choose from. */
	search: string;
	by: string;
	/** What a typed value looks like; checked in the editor, too. */
	pattern: { regex: RegExp; problem: string };
}

/** Text that is chosen from a list of the service, or typed; also given as plain text or an expression. */
export function locator(options: LocatorOptions & Filled<string>): Field<string>;
export function locator(options: LocatorOptions): Field<string | undefined>;
export function locator(options: LocatorOptions): Field<string | undefined> {
	const { label, one, search, by, example } = options;
	const { regex, problem } = options.pattern;
	const check = (typed: string) => (regex.test(typed) ? undefined : problem);
	const parseTyped = parseText({ ...options, check });
	const parse = (stored: unknown) => {
		const value: unknown = isLocator(stored) ? stored.value : stored;
		return parseTyped(value ?? '');
	};
	const properties = { regex: regex.source, errorMessage: `${label} ${problem}` };
	return simpleField('resourceLocator', options, parse, {
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${one}...`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{
				displayName: by,
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${example}`,
				validation: [{ type: 'regex', properties }],
			},
		],
	});
}

/** What the editor stores; a collection adds the default without the mark `__rl` (n8n 2.41). */
function isLocator(stored: unknown): stored is { value: unknown } {
	return typeof stored === 'object' && stored !== null && 'mode' in stored && 'value' in stored;
}

/** A filter; without its value, the list would be of everything. */
const filter = { maxLength: 200, narrows: true };

/** The filters of conversations, calls and bids (contract 4.1). */
export const recordFilters = {
	loadId: text({
		...filter,
		label: 'Load ID',
		example: '48213',
		about: 'Only records about this load',
	}),
	mcNumber: convertGiven(
		locator({
			...filter,
			label: 'MC Number',
			example: '123456',
			about: 'Only records of the carrier with this MC number',
			...{ one: 'carrier', search: 'searchMcNumbers', by: 'By MC Number' },
			pattern: { regex: /\d/, problem: 'must contain a number' },
		}),
		digitsOfMcNumber,
	),
};

/** The digits of an MC number, as people write it: MC738202, MC-738202, mc 738202, MC# 738202. */
export function digitsOfMcNumber(typed: string): string {
	const [, digits] = /^(?:MC(?:\s*(?:number|no\.?))?[\s#:.-]*|#\s*)(\d+)$/i.exec(typed) ?? [];
	return digits ?? typed;
}

/** Filters that only conversations have (contract 4.2). @param show where they are shown, if not always */
export function laneFilters(show?: Record<string, string[]>) {
	const lane = (label: string, example: string, end: string) =>
		text({
			...{ ...filter, ...(show && { show }), label, example },
			about: `Only conversations about loads with this ${end} address`,
		});
	return {
		origin: lane('Origin', 'Chicago, IL', 'pickup'),
		destination: lane('Destination', 'Dallas, TX', 'delivery'),
	};
}
