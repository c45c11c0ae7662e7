import type { INodeProperties } from 'n8n-workflow';

import { type Field, convert } from './field';
import { simpleField, type Filled, parseText, type TextOptions, text } from './simpleFields';

export interface LocatorOptions extends Omit<TextOptions, 'check' | 'default' | 'prefill'> {
	/** What is chosen: "Select a call...". */
	one: string;
	/** The node's method (`methods.listSearch`) that reads the list to choose from. */
	search: string;
	/** How it is typed instead: "By ID". */
	by: string;
	/** What a typed value looks like; checked in the editor, too. */
	pattern?: { regex: RegExp; problem: string };
}

/**
 * Text that is chosen from a list of the service, or typed. A workflow or an agent may also give it
 * as plain text or as an expression.
 */
export function locator(options: LocatorOptions & Filled<string>): Field<string>;
export function locator(options: LocatorOptions): Field<string | undefined>;
export function locator(options: LocatorOptions): Field<string | undefined> {
	const { pattern } = options;
	const check = (typed: string) => (pattern?.regex.test(typed) ? undefined : pattern?.problem);
	const parse = (stored: unknown) => {
		const value: unknown = isLocator(stored) ? stored.value : stored;
		return value === null || value === undefined
			? undefined
			: parseText(value, { ...options, check });
	};
	return simpleField('resourceLocator', options, parse, shownAs(options));
}

/** What the editor stores; a collection adds the default without the mark `__rl` (n8n 2.41). */
function isLocator(stored: unknown): stored is { value: unknown } {
	return typeof stored === 'object' && stored !== null && 'mode' in stored && 'value' in stored;
}

function shownAs(options: LocatorOptions): Partial<INodeProperties> {
	const { label, one, search, by, example, pattern } = options;
	return {
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
				...(pattern && {
					validation: [
						{
							type: 'regex',
							properties: {
								regex: pattern.regex.source,
								errorMessage: `${label} ${pattern.problem}`,
							},
						},
					],
				}),
			},
		],
	};
}

const MAX_LENGTH = 200;

/** The filters of conversations, calls and bids (contract 4.1). */
export const recordFilters = {
	loadId: text({
		label: 'Load ID',
		example: '48213',
		about: 'Only records about this load',
		maxLength: MAX_LENGTH,
		narrows: true,
	}),
	mcNumber: convert(
		locator({
			label: 'MC Number',
			example: '123456',
			about: 'Only records of the carrier with this MC number',
			...{ one: 'carrier', search: 'searchMcNumbers', by: 'By MC Number' },
			pattern: { regex: /\d/, problem: 'must contain a number' },
			maxLength: MAX_LENGTH,
			narrows: true,
		}),
		digitsOfMcNumber,
	),
};

/** The digits of an MC number, as people write it: MC738202, MC-738202, mc 738202, MC# 738202. */
export function digitsOfMcNumber(typed: string | undefined): string | undefined {
	const [, digits] = /^(?:MC(?:\s*(?:number|no\.?))?[\s#:.-]*|#\s*)(\d+)$/i.exec(typed ?? '') ?? [];
	return digits ?? typed;
}

/**
 * Filters that only conversations have (contract 4.2).
 *
 * @param show where they are shown, if not always
 */
export function laneFilters(show?: Record<string, string[]>) {
	const when = show && { show };
	return {
		origin: text({
			label: 'Origin',
			example: 'Chicago, IL',
			about: 'Only conversations about loads with this pickup address',
			maxLength: MAX_LENGTH,
			narrows: true,
			...when,
		}),
		destination: text({
			label: 'Destination',
			example: 'Dallas, TX',
			about: 'Only conversations about loads with this delivery address',
			maxLength: MAX_LENGTH,
			narrows: true,
			...when,
		}),
	};
}
