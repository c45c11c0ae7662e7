import type { INodeProperties } from 'n8n-workflow';

import { keptWhole } from '../../../shared/fields/collection';

/** Keys and values from rows, from JSON, or from the input item's fields. */
export interface PairsOptions {
	label: string;
	about: string;
	example: { key: string; value: string };
	/** Whether a row's value may be JSON. */
	anyJson: boolean;
}

/** The table of keys and values, shown for "Fields Below". */
export function rowsProperty(
	name: string,
	{ label, example, anyJson }: PairsOptions,
): INodeProperties[] {
	const types = [
		{ name: 'As Given', value: 'asGiven', description: 'Keep the type of the value or expression' },
		...(anyJson ? [{ name: 'JSON', value: 'json' }] : []),
		{ name: 'Number', value: 'number' },
		{ name: 'Text', value: 'text' },
	];
	const values: INodeProperties[] = [
		{ displayName: 'Key', name: 'key', type: 'string', default: '', placeholder: example.key },
		{ displayName: 'Type', name: 'valueType', type: 'options', options: types, default: 'asGiven' },
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: example.value,
		},
	];
	return keptWhole({
		displayName: label,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Field',
		displayOptions: { show: { [`${name}From`]: ['entries'] } },
		options: [{ displayName: 'Field', name: 'entry', values }],
	});
}

/** The text field for a JSON object, shown for "JSON". */
export function jsonProperty(name: string, { label }: PairsOptions): INodeProperties {
	return {
		displayName: `${label} (JSON)`,
		name: `${name}Json`,
		type: 'json',
		default: '{}',
		displayOptions: { show: { [`${name}From`]: ['json'] } },
		description: 'An object of keys and values',
	};
}
