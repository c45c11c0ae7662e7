import type { INodeProperties } from 'n8n-workflow';

/** Keys and values that the user gives as rows, as JSON, or as the input item's own fields. */
export interface PairsField {
	/** Parameter name of the rows; the others are derived from it. */
	name: string;
	displayName: string;
	description: string;
	placeholder: { key: string; value: string };
	/** Whether a row's value may be JSON. */
	anyJson: boolean;
}

/** Where the pairs may come from. */
export const SOURCES = ['entries', 'json', 'itemFields'] as const;

/** The dropdown that says where the pairs come from, and a field for each of its answers. */
export function pairsFields(field: PairsField): INodeProperties[] {
	const source = `${field.name}From`;
	return [
		{
			displayName: `${field.displayName} From`,
			name: source,
			type: 'options',
			options: [
				{ name: 'All Fields of the Input Item', value: 'itemFields' },
				{ name: 'Fields Below', value: 'entries' },
				{ name: 'JSON', value: 'json' },
			],
			default: 'entries',
			description: field.description,
		},
		rows(field, source),
		{
			displayName: `${field.displayName} (JSON)`,
			name: `${field.name}Json`,
			type: 'json',
			default: '{}',
			displayOptions: { show: { [source]: ['json'] } },
			description: 'An object of keys and values',
		},
	];
}

function rows(field: PairsField, source: string): INodeProperties {
	const types = [
		{ name: 'As Given', value: 'asGiven', description: 'Typed text, or what the expression gives' },
		...(field.anyJson ? [{ name: 'JSON', value: 'json' }] : []),
		{ name: 'Number', value: 'number' },
		{ name: 'Text', value: 'text' },
	];
	return {
		displayName: field.displayName,
		name: field.name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Field',
		displayOptions: { show: { [source]: ['entries'] } },
		options: [
			{
				displayName: 'Field',
				name: 'entry',
				values: [
					{
						displayName: 'Key',
						name: 'key',
						type: 'string',
						default: '',
						placeholder: field.placeholder.key,
					},
					{
						displayName: 'Type',
						name: 'valueType',
						type: 'options',
						options: types,
						default: 'asGiven',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: field.placeholder.value,
					},
				],
			},
		],
	};
}
