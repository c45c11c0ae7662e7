import type { ListQuery } from './contract';
import { ServiceFailure } from './http/failure';
import type { JsonObject } from './http/json';
import { loadKey, loadsIn } from './loads';

const MAX_SHOWN = 3;

/**
 * Refuses a list of a service that ignored a filter (contract 4.1): whoever is called next would be
 * strangers. A record may name its load or carrier by another of its numbers, but then all records
 * have that one in common.
 *
 * @throws ServiceFailure if the records are of several other loads or carriers
 */
export function refuseUnfiltered({ loadId, mcNumber }: ListQuery, rows: JsonObject[]): void {
	// What `loads` of a conversation means is unknown (contract 2.2).
	const loads = rows.map((row) => loadsIn(row.loadIds ?? row.loadId));
	refuseOthers(['Load ID', 'loads'], loadId && loadKey(loadId), loads);
	const carriers = rows.map((row) => digitsIn(row.mcNumber ?? row.carrierMc));
	refuseOthers(['MC Number', 'carriers'], digitsIn(mcNumber)[0], carriers);
}

/**
 * @param filter its label, and what it filters by
 * @param named the numbers that each record names, if any
 */
function refuseOthers(
	[filter, things]: [string, string],
	wanted: string | undefined,
	named: string[][],
): void {
	if (!wanted) return;
	const isWanted = (number: string) => number.includes(wanted) || wanted.includes(number);
	const others = named.filter((numbers) => numbers.length > 0 && !numbers.some(isWanted));
	const [first = [], ...rest] = others;
	const isOneInCommon = first.some((number) => rest.every((numbers) => numbers.includes(number)));
	if (others.length === 0 || isOneInCommon) return;
	const shown = [...new Set(others.flat())].slice(0, MAX_SHOWN).join(', ');
	throw new ServiceFailure({
		kind: 'unreadable',
		what: `The service ignored the filter ${filter} (${wanted}): it returned records of other ${things} (${shown})`,
		advice:
			'Contact the service operator. Until it is fixed, leave this filter empty, and filter the records with a Filter node',
	});
}

/** The digits of an MC number, however it is written. */
function digitsIn(mcNumber: unknown): string[] {
	if (typeof mcNumber !== 'string' && typeof mcNumber !== 'number') return [];
	const digits = String(mcNumber).replace(/\D/g, '').replace(/^0+/, '');
	return digits === '' ? [] : [digits];
}
