import type { CarrierQuery } from '../../../shared/service/contract/carrier';
import { limitFields, readLimit } from '../../../shared/fields/paging';
import { outputFields } from '../../../shared/fields/output';
import type { Parameters } from '../../../shared/fields/parameters';
import { readPlace } from '../../../shared/fields/place';
import { optionsField, requestOptions } from '../../../shared/fields/requestOptions';
import { perItem } from '../../operations/readOperation';
import { connectFor, readShape, toItems } from '../../operations/rows';
import { equipmentTypesField, otherEquipmentTypesField, readEquipmentTypes } from './equipment';
import { rowPerLane } from './lanes';

/** The fields of a carrier (contract 2.6), and of a lane where there is one row for each. */
export const carrierFields = {
	simplified: [
		'mcNumber',
		'dotNumber',
		'name',
		'fleetsize',
		'avgRate',
		'ruleAssessment',
		'laneOrigin',
		'laneDestination',
		'laneAvgRate',
		'laneTotalBids',
	],
	more: ['address', 'lanes'],
} as const;

const ITEMS_PER = ['carrier', 'lane'] as const;

export const search = perItem({
	name: 'Search',
	value: 'search',
	action: 'Search carriers by lane (read only)',
	description: 'Find carriers for a lane, with their lane history and rule assessment',
	fields: [
		{
			displayName: 'Origin',
			name: 'origin',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Chicago, IL',
			description: 'Pickup city and state',
		},
		{
			displayName: 'Destination',
			name: 'destination',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Dallas, TX',
			description: 'Drop-off city and state',
		},
		equipmentTypesField,
		...limitFields,
		{
			displayName: 'Return One Item Per',
			name: 'itemPer',
			type: 'options',
			options: [
				{ name: 'Carrier', value: 'carrier', description: 'Each carrier once' },
				{
					name: 'Lane',
					value: 'lane',
					description: 'Each lane of each carrier, beside the fields of the carrier',
				},
			],
			default: 'carrier',
			description: 'Whether an item is a carrier, or one lane that a carrier has run',
		},
		...outputFields(carrierFields),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				otherEquipmentTypesField,
				{
					displayName: 'Radius (Miles)',
					name: 'radius',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 50,
					description: 'How far around the origin and the destination to search',
				},
			],
		},
		optionsField(requestOptions),
	],
	async executeItem(context, parameters, notify) {
		const shape = readShape(context, parameters, carrierFields);
		const query = readQuery(parameters);
		const limit = readLimit(parameters);
		const itemPer = parameters.optionalChoice(
			{ name: 'itemPer', displayName: 'Return One Item Per' },
			ITEMS_PER,
		);
		const client = await connectFor(context, parameters);
		const { rows, hint } = await client.searchCarriers(query);
		notify(hint);
		const wanted = itemPer === 'lane' ? rows.flatMap(rowPerLane) : rows;
		return toItems(wanted.slice(0, limit), shape);
	},
});

function readQuery(parameters: Parameters): CarrierQuery {
	return {
		origin: readPlace(parameters, { name: 'origin', displayName: 'Origin' }),
		destination: readPlace(parameters, { name: 'destination', displayName: 'Destination' }),
		radius: parameters.optionalNumber(
			{ name: 'additionalFields.radius', displayName: 'Radius (Miles)' },
			{ min: 0 },
		),
		equipmentTypes: readEquipmentTypes(parameters),
	};
}
