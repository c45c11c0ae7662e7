import type { IDataObject } from 'n8n-workflow';

import { optional } from '../../../shared/fields/field';
import { choices, texts, choice, notice, number } from '../../../shared/fields/simpleFields';
import { shownText } from '../../../shared/search/search';
import { isJsonObject } from '../../../shared/service/json';
import type { Output } from '../../fields/output';
import { place } from '../../fields/place';
import { limit } from '../../fields/requestOptions';
import { readOperation } from '../../operations/readOperation';

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

const equipmentTypes = choices({
	label: 'Equipment Types',
	choices: EQUIPMENT_TYPES.map((name) => ({ name, value: name })),
	narrows: true,
	about: 'Only carriers with one of these equipment types. Leave empty for all.',
});

const otherEquipmentTypes = texts({
	label: 'Other Equipment Types',
	narrows: true,
	example: 'Curtain Van, Stretch RGN',
	about: 'Equipment types not in the list, separated by commas',
});

/** The chosen types as comma-separated text for the service; undefined if none. */
function joinEquipmentTypes(types: string[]): string | undefined {
	const lowerCase = types.map((type) => type.toLowerCase());
	const distinct = types.filter(
		(_type, index) => lowerCase.indexOf(lowerCase[index] ?? '') === index,
	);
	return distinct.length === 0 ? undefined : distinct.join(',');
}

/** The fields of a lane (contract 2.6), as named next to its carrier's. */
const LANE_FIELDS = ['laneOrigin', 'laneDestination', 'laneAvgRate', 'laneTotalBids'] as const;

/**
 * Splits a carrier into one row per lane: the carrier's fields, plus the lane's with the prefix
 * "lane" (`origin` -> `laneOrigin`). A carrier without lanes remains one row, so it isn't lost.
 */
function rowPerLane({ lanes, ...carrier }: IDataObject): IDataObject[] {
	const known = lanesOf(lanes);
	if (known.length === 0) return [carrier];
	return known.map((lane) => ({ ...carrier, ...prefixed(lane) }));
}

/**
 * Adds the lanes' fields to a carrier, each as a list (`laneOrigin`: ["Joliet, IL", "Gary, IN"]),
 * for Selected Fields.
 */
function withLaneLists(carrier: IDataObject): IDataObject {
	const lanes = lanesOf(carrier.lanes).map(prefixed);
	const names = new Set([...LANE_FIELDS, ...lanes.flatMap((lane) => Object.keys(lane))]);
	const lists = [...names].map((name) => [name, lanes.map((lane) => lane[name] ?? null)]);
	return { ...carrier, ...Object.fromEntries(lists) };
}

/** A carrier with its lanes as one text: "Joliet, IL → Dallas, TX; Gary, IN → Austin, TX". */
function withLanesAsText(carrier: IDataObject): IDataObject {
	const { lanes } = carrier;
	if (!Array.isArray(lanes)) return carrier;
	const texts = lanesOf(lanes).map(
		({ origin, destination }) => `${shownText(origin) || '?'} → ${shownText(destination) || '?'}`,
	);
	return { ...carrier, lanes: texts.join('; ') };
}

function lanesOf(lanes: unknown): IDataObject[] {
	const listed: unknown[] = Array.isArray(lanes) ? lanes : [];
	return listed.filter(isJsonObject);
}

function prefixed(lane: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(lane).map(([name, value]) => [laneName(name), value]));
}

function laneName(name: string): string {
	return `lane${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

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
	description:
		'Find carriers for a lane, with their lane history and rule assessment, but without phone numbers',
	fields: {
		phonesNotice: notice(
			'Returns carriers within a radius around both cities, without their phone numbers.',
		),
		origin: place({ label: 'Origin', example: 'Chicago, IL', about: 'Pickup city and state' }),
		destination: place({
			label: 'Destination',
			example: 'Dallas, TX',
			about: 'Delivery city and state',
		}),
		radius: number({
			label: 'Radius (Miles)',
			min: 0,
			narrows: true,
			example: '50',
			about:
				"How far around the origin and the destination to search. If empty, the service's own radius counts, which is not documented.",
		}),
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
