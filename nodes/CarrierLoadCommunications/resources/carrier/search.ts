import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../../shared/fields/choice';
import { optional } from '../../../shared/fields/field';
import { movedUp } from '../../../shared/fields/form';
import { number } from '../../../shared/fields/number';
import { limit } from '../../fields/limit';
import type { Output } from '../../fields/output';
import { place } from '../../fields/place';
import { readOperation } from '../../operations/readOperation';
import { equipmentTypes, joinEquipmentTypes, otherEquipmentTypes } from './equipment';
import { LANE_FIELDS, rowPerLane, withLaneLists, withLanesAsText } from './lanes';

/** The fields of a carrier (contract 2.6), or of a lane if there is one row per lane. */
const carrierFields = {
	simplified: [
		'mcNumber',
		'dotNumber',
		'name',
		'fleetsize',
		'avgRate',
		'ruleAssessment',
		'lanes',
		...LANE_FIELDS,
	],
	more: ['address'],
} as const;

export const search = readOperation({
	name: 'Search',
	value: 'search',
	action: 'Search carriers by lane',
	description: 'Find carriers for a lane, with their lane history and rule assessment',
	fields: {
		origin: place({ label: 'Origin', example: 'Chicago, IL', about: 'Pickup city and state' }),
		destination: place({
			label: 'Destination',
			example: 'Dallas, TX',
			about: 'Delivery city and state',
		}),
		radius: movedUp(
			number({
				label: 'Radius (Miles)',
				min: 0,
				narrows: true,
				example: '50',
				about:
					"How far around the origin and the destination to search. Leave empty for the service's own radius.",
			}),
		),
		equipmentTypes,
		otherEquipmentTypes: optional(otherEquipmentTypes),
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
	},
	options: {},
	rows: carrierFields,
	async read(values, { client }) {
		const { origin, destination, radius } = values;
		const types = [...values.equipmentTypes, ...values.otherEquipmentTypes];
		const query = { origin, destination, radius, equipmentTypes: joinEquipmentTypes(types) };
		const { rows, hint } = await client.searchCarriers(query);
		const returned = rows.flatMap(rowsFor(values.itemPer, values.output));
		const isCut = values.limit !== undefined && returned.length >= values.limit;
		return { rows: returned.slice(0, values.limit), hint: isCut ? undefined : hint };
	},
});

/** Selected Fields can name lane fields for a carrier, and carrier fields for a lane. */
function rowsFor(itemPer: string, { level }: Output): (carrier: IDataObject) => IDataObject[] {
	if (level !== 'selected' && itemPer === 'lane') return rowPerLane;
	if (level === 'all') return (carrier) => [carrier];
	if (level === 'simplified') return (carrier) => [withLanesAsText(carrier)];
	if (itemPer === 'carrier') return (carrier) => [withLaneLists(carrier)];
	return (carrier) => rowPerLane(carrier).map((row) => ({ lanes: carrier.lanes, ...row }));
}
