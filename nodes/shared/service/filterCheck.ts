import { DEFAULT_PAGE_SIZE, type ListQuery } from './contract';
import { ServiceFailure } from './failure';
import type { JsonObject } from './json';
import { loadsIn, loadKey } from './loads';

/**
 * Refuses a list of a service that ignored a filter (contract 4.1): whoever is called next would be
 * strangers. A record may name its load or carrier by another of its numbers, but then all records
 * have that one in common.
 * @throws ServiceFailure if the records are of several other loads or carriers
 */
export function refuseUnfiltered({ loadId, mcNumber }: ListQuery, rows: JsonObject[]): void {
	// One page shows it, and all would block n8n.
	const checked = rows.slice(0, DEFAULT_PAGE_SIZE);
	// What `loads` of a conversation means is unknown (contract 2.2).
	const loads = checked.map((row) => loadsIn(row.loadIds ?? row.loadId));
	if (loadId) refuseOthers('Load ID', 'loads', loadKey(loadId), loads);
	const carriers = checked.map((row) => digitsIn(row.mcNumber ?? row.carrierMc));
	if (mcNumber) refuseOthers('MC Number', 'carriers', digitsIn(mcNumber)[0] ?? '', carriers);
}

/** @param named the numbers that each record names, if any */
function refuseOthers(filter: string, things: string, wanted: string, named: string[][]): void {
	const isWanted = (number: string) => number.includes(wanted) || wanted.includes(number);
	const [first = [], ...rest] = named.filter((each) => each.length > 0 && !each.some(isWanted));
	// A single record may be a mistake; so may a number that all of them have.
	if (first.some((number) => rest.every((each) => each.includes(number)))) return;
	const shown = [...new Set([first, ...rest].flat())].slice(0, 3).join(', ');
	if (shown === '') return;
	throw new ServiceFailure({
		kind: 'unreadable',
		what: `The service ignored the filter ${filter} (${wanted}): it returned records of other ${things} (${shown})`,
		advice:
			'Contact the service operator. Until it is fixed, leave this filter empty, and filter the records with a Filter node',
	});
}

function digitsIn(mcNumber: unknown): string[] {
	if (typeof mcNumber !== 'string' && typeof mcNumber !== 'number') return [];
	const digits = String(mcNumber).slice(0, 100).replace(/\D/g, '').replace(/^0+/, '');
	return digits === '' ? [] : [digits];
}
