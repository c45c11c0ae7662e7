import type { IDataObject } from 'n8n-workflow';

import { searchCarriers } from '../../../shared/service/wholeLists';
import { optional } from '../../../shared/fields/field';
import { choices, texts, choice, notice, number } from '../../../shared/fields/simpleFields';
import { shownText } from '../../../shared/search/search';
import { isJsonObject } from '../../../shared/service/json';
import type { Output } from '../../fields/readOutput';
import { place } from '../../fields/place';
import { limit } from '../../fields/requestOptions';
import { readOperation } from '../../operations/readOperation';

/** The usual trailers, most common first. The contract (4.3) names none, so they are sent as written. */
const EQUIPMENT_TYPES =
	'Van, Reefer, Flatbed, Step Deck, Power Only, Box Truck, Hotshot, Conestoga, Double Drop, Lowboy, Removable Gooseneck, Container, Intermodal, Tanker, Dump Trailer, Hopper Bottom, Auto Carrier, Sprinter Van';

/** The fields of a lane (contract 2.6), as named next to its carrier's. */
const LANE_FIELDS = ['laneOrigin', 'laneDestination', 'laneAvgRate', 'laneTotalBids'];

/** The fields of a carrier (contract 2.6), or of a lane if there is one row per lane. */
const carrierFields = {
	simplified: [
		...['mcNumber', 'dotNumber', 'name', 'fleetsize', 'avgRate', 'ruleAssessment', 'lanes'],
		...LANE_FIELDS,
	],
	more: ['address'],
};

export const search = readOperation({
	name: 'Search',
	value: 'search',
	action: 'Search carriers by lane',
	description:
		'Find carriers for a lane, with their lane history and rule assessment, but without phone numbers',
	fields: {
		phonesNotice: notice('Returns carriers within a radius of both cities, without phone numbers.'),
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
		equipmentTypes: choices({
			label: 'Equipment Types',
			choices: EQUIPMENT_TYPES.split(', ').map((name) => ({ name, value: name })),
			narrows: true,
			about: 'Only carriers with one of these equipment types. Leave empty for all.',
		}),
		otherEquipmentTypes: optional(
			texts({
				label: 'Other Equipment Types',
				narrows: true,
				example: 'Curtain Van, Stretch RGN',
				about: 'Equipment types not in the list, separated by commas',
			}),
		),
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
	rows: carrierFields,
	async read(values, { client }) {
		const { origin, destination, radius, limit: max, itemPer, output } = values;
		const types = [...values.equipmentTypes, ...values.otherEquipmentTypes];
		const lowerCase = types.map((type) => type.toLowerCase());
		const distinct = types.filter((type, at) => lowerCase.indexOf(type.toLowerCase()) === at);
		const equipmentTypes = distinct.join(',') || undefined;
		const query = { origin, destination, radius, equipmentTypes };
		const { rows, hint } = await searchCarriers(client, query);
		const returned = rows.flatMap((carrier) => rowsOf(carrier, itemPer, output.level));
		const isCut = max !== undefined && returned.length >= max;
		return { rows: returned.slice(0, max), hint: isCut ? undefined : hint };
	},
});

/**
 * One row per lane: the carrier's fields, plus the lane's with the prefix "lane" (`origin` ->
 * `laneOrigin`); a carrier without lanes remains one row. Or one row per carrier, with its lanes as one
 * text, or for Selected Fields as a list per field of a lane.
 */
function rowsOf(carrier: IDataObject, itemPer: 'carrier' | 'lane', level: Output['level']) {
	const { lanes, ...others } = carrier;
	const known = (Array.isArray(lanes) ? lanes : []).filter(isJsonObject);
	const prefixed = known.map((lane) =>
		Object.fromEntries(Object.entries(lane).map(([name, value]) => [laneName(name), value])),
	);
	if (itemPer === 'lane') {
		const own = level === 'selected' ? carrier : others;
		return prefixed.length === 0 ? [own] : prefixed.map((lane) => ({ ...own, ...lane }));
	}
	if (level === 'selected') {
		const names = new Set([...LANE_FIELDS, ...prefixed.flatMap((lane) => Object.keys(lane))]);
		const lists = [...names].map((name) => [name, prefixed.map((lane) => lane[name] ?? null)]);
		return [{ ...carrier, ...Object.fromEntries(lists) }];
	}
	const isFlat = level === 'simplified' && Array.isArray(lanes);
	return [isFlat ? { ...carrier, lanes: asText(known) } : carrier];
}

function laneName(name: string): string {
	return `lane${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** "Joliet, IL → Dallas, TX; Gary, IN → Austin, TX" */
function asText(lanes: readonly IDataObject[]): string {
	return lanes
		.map(
			({ origin, destination }) => `${shownText(origin) || '?'} → ${shownText(destination) || '?'}`,
		)
		.join('; ');
}
