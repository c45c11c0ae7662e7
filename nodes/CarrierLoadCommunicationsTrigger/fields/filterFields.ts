import { isScalar, ownField } from '../../shared/events/eventParts';
import { choice } from '../../shared/fields/choice';
import { collection } from '../../shared/fields/collection';
import { propertiesOf, type Field } from '../../shared/fields/field';
import { text } from '../../shared/fields/text';
import { isJsonObject } from '../../shared/service/http/json';

export interface MetadataCondition {
	key: string;
	/** If undefined, the key must exist with any value. */
	equals?: string;
}

const condition = propertiesOf({
	key: text({ label: 'Key', example: 'team' }),
	test: choice({
		label: 'Test',
		choices: [
			{ name: 'Equals', value: 'equals' },
			{ name: 'Exists', value: 'exists' },
		],
		default: 'equals',
	}),
	value: text({ label: 'Value', example: 'track and trace', show: { test: ['equals'] } }),
});

const metadata: Field<MetadataCondition[]> = {
	properties: (name) => [
		{
			displayName: 'Metadata',
			name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Condition',
			description: 'Conditions on the metadata of the call. All of them must be met.',
			options: [{ displayName: 'Condition', name: 'condition', values: condition }],
		},
	],
	read: (parameters, name) => readConditions(parameters.raw(`${name}.condition`)),
};

export const filterFields = collection(
	'Filters',
	'Add Filter',
	{
		loadNumber: text({
			label: 'Load Number',
			default: '',
			narrows: true,
			example: '48213',
			about: 'Only events about this load, by its number or ID in the event or its metadata',
		}),
		metadata,
	},
	"Events that don't match are acknowledged but don't start the workflow",
);

function readConditions(conditions: unknown): MetadataCondition[] {
	if (!Array.isArray(conditions)) return [];
	return conditions.filter(isJsonObject).flatMap((each) => {
		const key = asText(ownField(each, 'key'));
		if (key === '') return [];
		const exists = ownField(each, 'test') === 'exists';
		return [exists ? { key } : { key, equals: asText(ownField(each, 'value')) }];
	});
}

function asText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	return isScalar(value) ? String(value).trim() : '';
}
