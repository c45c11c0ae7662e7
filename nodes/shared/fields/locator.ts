import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import { simpleField, type Filled } from './simpleField';
import { parseText, type TextOptions } from './text';

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
