import type { IDataObject } from 'n8n-workflow';

import { shownText } from '../../../shared/search/entries';
import { isJsonObject } from '../../../shared/service/http/json';

/** The fields of a lane (contract 2.6), as named beside its carrier's. */
export const LANE_FIELDS = [
	'laneOrigin',
	'laneDestination',
	'laneAvgRate',
	'laneTotalBids',
] as const;

/**
 * Splits a carrier into one row per lane: the carrier's fields, plus the lane's with the prefix
 * "lane" (`origin` -> `laneOrigin`). A carrier without lanes remains one row, so it isn't lost.
 */
export function rowPerLane({ lanes, ...carrier }: IDataObject): IDataObject[] {
	const known = lanesOf(lanes);
	if (known.length === 0) return [carrier];
	return known.map((lane) => ({ ...carrier, ...prefixed(lane) }));
}

/**
 * Adds the lanes' fields to a carrier, each as a list (`laneOrigin`: ["Joliet, IL", "Gary, IN"]),
 * for Selected Fields.
 */
export function withLaneLists(carrier: IDataObject): IDataObject {
	const lanes = lanesOf(carrier.lanes).map(prefixed);
	const names = new Set([...LANE_FIELDS, ...lanes.flatMap((lane) => Object.keys(lane))]);
	const lists = [...names].map((name) => [name, lanes.map((lane) => lane[name] ?? null)]);
	return { ...carrier, ...Object.fromEntries(lists) };
}

/** A carrier with its lanes as one text: "Joliet, IL → Dallas, TX; Gary, IN → Austin, TX". */
export function withLanesAsText(carrier: IDataObject): IDataObject {
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
