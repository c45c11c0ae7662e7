import { choices } from '../../../shared/fields/choice';
import { texts } from '../../../shared/fields/text';

/**
 * The usual trailers, most common first. The contract (4.3) names none, so they are sent as
 * written.
 */
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

export const equipmentTypes = choices({
	label: 'Equipment Types',
	choices: EQUIPMENT_TYPES.map((name) => ({ name, value: name })),
	narrows: true,
	about: 'Only carriers with one of these equipment types. Leave empty for all.',
});

export const otherEquipmentTypes = texts({
	label: 'Other Equipment Types',
	narrows: true,
	example: 'Curtain Van, Stretch RGN',
	about: 'Equipment types not in the list, separated by commas',
});

/** The chosen types as comma-separated text for the service; undefined if none. */
export function joinEquipmentTypes(types: string[]): string | undefined {
	const lowerCase = types.map((type) => type.toLowerCase());
	const distinct = types.filter(
		(_type, index) => lowerCase.indexOf(lowerCase[index] ?? '') === index,
	);
	return distinct.length === 0 ? undefined : distinct.join(',');
}
