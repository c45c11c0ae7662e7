import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';

/**
 * A carrier as one row per lane: the carrier's own fields, and the lane's with "lane" before them
 * (`origin` -> `laneOrigin`). A carrier without lanes stays one row, so that none gets lost.
 */
export function rowPerLane({ lanes, ...carrier }: IDataObject): IDataObject[] {
	const listed: unknown[] = Array.isArray(lanes) ? lanes : [];
	const known = listed.filter(isJsonObject);
	if (known.length === 0) return [carrier];
	return known.map((lane) => ({
		...carrier,
		...prefixed(lane),
	}));
}

function prefixed(lane: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(lane).map(([name, value]) => [laneName(name), value]));
}

function laneName(name: string): string {
	return `lane${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
