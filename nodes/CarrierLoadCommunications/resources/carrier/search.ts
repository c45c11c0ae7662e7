import { choice } from '../../../shared/fields/choice';
import { optional } from '../../../shared/fields/field';
import { number } from '../../../shared/fields/number';
import { limit } from '../../fields/limit';
import { place } from '../../fields/place';
import { readOperation } from '../../operations/readOperation';
import { equipmentTypes, joinEquipmentTypes, otherEquipmentTypes } from './equipment';
import { rowPerLane } from './lanes';

/** The fields of a carrier (contract 2.6), and of a lane where there is one row for each. */
const carrierFields = {
	simplified: [
		'mcNumber',
		'dotNumber',
		'name',
		'fleetsize',
		'avgRate',
		'ruleAssessment',
		'lanes',
		'laneOrigin',
		'laneDestination',
		'laneAvgRate',
		'laneTotalBids',
	],
	more: ['address'],
} as const;

export const search = readOperation({
	name: 'Search',
	value: 'search',
	action: 'Search carriers by lane (read only)',
	description: 'Find carriers for a lane, with their lane history and rule assessment',
	fields: {
		origin: place({ label: 'Origin', example: 'Chicago, IL', about: 'Pickup city and state' }),
		destination: place({
			label: 'Destination',
			example: 'Dallas, TX',
			about: 'Delivery city and state',
		}),
		equipmentTypes,
		limit,
		itemPer: choice({
			label: 'Return One Item Per',
			choices: [
				{ name: 'Carrier', value: 'carrier', description: 'Each carrier once' },
				{
					name: 'Lane',
					value: 'lane',
					description: "One item per lane, including the carrier's fields",
				},
			],
			default: 'carrier',
			about: 'Whether each item is a carrier or one lane that a carrier has run',
		}),
		otherEquipmentTypes: optional(otherEquipmentTypes),
		radius: optional(
			number({
				label: 'Radius (Miles)',
				min: 0,
				prefill: 50,
				about: 'How far around the origin and the destination to search',
			}),
		),
	},
	options: {},
	rows: carrierFields,
	async read(values, { client }) {
		const { origin, destination, radius } = values;
		const types = [...values.equipmentTypes, ...values.otherEquipmentTypes];
		const query = { origin, destination, radius, equipmentTypes: joinEquipmentTypes(types) };
		const { rows, hint } = await client.searchCarriers(query);
		const returned = values.itemPer === 'lane' ? rows.flatMap(rowPerLane) : rows;
		const isCut = values.limit !== undefined && returned.length >= values.limit;
		return { rows: returned.slice(0, values.limit), hint: isCut ? undefined : hint };
	},
});
