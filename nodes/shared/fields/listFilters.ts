import type { INodeProperties } from 'n8n-workflow';

import type { ListQuery } from '../service/contract/listQuery';
import type { Parameters } from './parameters';

const MAX_LENGTH = 200;

const loadId: INodeProperties = {
	displayName: 'Load ID',
	name: 'loadId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 48213',
	description: 'Only records about this load',
};

const mcNumber: INodeProperties = {
	displayName: 'MC Number',
	name: 'mcNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. 123456',
	description: 'Only records of the carrier with this MC number',
};

/** Filters of the conversations only (contract 4.2). */
export const laneFilters: INodeProperties[] = [
	{
		displayName: 'Origin',
		name: 'origin',
		type: 'string',
		default: '',
		placeholder: 'e.g. Chicago, IL',
		description: 'Only conversations about loads with this pickup address',
	},
	{
		displayName: 'Destination',
		name: 'destination',
		type: 'string',
		default: '',
		placeholder: 'e.g. Dallas, TX',
		description: 'Only conversations about loads with this drop-off address',
	},
];

/** The "Filters" collection of a list; `more` are filters that only this list has. */
export function listFilters(more: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [...more, loadId, mcNumber].sort((one, other) =>
			one.displayName.localeCompare(other.displayName),
		),
	};
}

/** The load and carrier filters (contract 4.1); empty ones are left out of the request. */
export function readListFilters(parameters: Parameters): Pick<ListQuery, 'loadId' | 'mcNumber'> {
	return {
		...readFilter(parameters, 'loadId', 'Load ID'),
		...readFilter(parameters, 'mcNumber', 'MC Number'),
	};
}

/** One filter under its name; nothing when it is empty. */
export function readFilter<Name extends string>(
	parameters: Parameters,
	name: Name,
	displayName: string,
): Partial<Record<Name, string>> {
	const filter = { name: `filters.${name}`, displayName, maxLength: MAX_LENGTH };
	const text = parameters.optionalText(filter);
	if (text === undefined) return {};
	const named: Partial<Record<Name, string>> = {};
	named[name] = text;
	return named;
}
