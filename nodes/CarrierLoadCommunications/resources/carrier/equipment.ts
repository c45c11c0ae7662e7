import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from '../../../shared/fields/parameters';

/** The usual trailers, most used first. The contract (4.3) names none: they are sent as they are. */
const EQUIPMENT_TYPES = [
	'Van',
	'Reefer',
	'Flatbed',
	'Step Deck',
	'Power Only',
	'Box Truck',
	'Hotshot',
	'Conestoga',
	'Double Drop',
	'Lowboy',
	'Removable Gooseneck',
	'Container',
	'Intermodal',
	'Tanker',
	'Dump Trailer',
	'Hopper Bottom',
	'Auto Carrier',
	'Sprinter Van',
] as const;

export const equipmentTypesField: INodeProperties = {
	displayName: 'Equipment Types',
	name: 'equipmentTypes',
	type: 'multiOptions',
	options: EQUIPMENT_TYPES.map((name) => ({ name, value: name })),
	default: [],
	description: 'Only carriers with one of these trailers. Leave empty for all.',
};

export const otherEquipmentTypesField: INodeProperties = {
	displayName: 'Other Equipment Types',
	name: 'otherEquipmentTypes',
	type: 'string',
	default: '',
	placeholder: 'e.g. Curtain Van, Stretch RGN',
	description: 'Trailers that the list does not have, with commas between them',
};

/** Both fields as the one comma-separated text of the contract; undefined when both are empty. */
export function readEquipmentTypes(parameters: Parameters): string | undefined {
	const types = [
		...parameters.texts({ name: 'equipmentTypes', displayName: 'Equipment Types' }),
		...parameters.texts({
			name: 'additionalFields.otherEquipmentTypes',
			displayName: 'Other Equipment Types',
		}),
	];
	const lowerCase = types.map((type) => type.toLowerCase());
	const distinct = types.filter(
		(_type, index) => lowerCase.indexOf(lowerCase[index] ?? '') === index,
	);
	return distinct.length === 0 ? undefined : distinct.join(',');
}
