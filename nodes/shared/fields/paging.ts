import type { INodeProperties } from 'n8n-workflow';

import {
	DEFAULT_PAGE_SIZE,
	DEFAULT_PAGES_IN_PARALLEL,
	MAX_PAGE_SIZE,
} from '../service/http/defaults';
import type { Paging } from '../service/pagination';
import type { Parameters } from './parameters';
import { MAX_PAGES_IN_PARALLEL, PAGE_FAILURES } from './requestOptions';

const DEFAULT_LIMIT = 50;

export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** How many results are wanted; undefined for all. */
export function readLimit(parameters: Parameters): number | undefined {
	if (parameters.flag({ name: 'returnAll', displayName: 'Return All' })) return undefined;
	return (
		parameters.optionalWholeNumber({ name: 'limit', displayName: 'Limit' }, { min: 1 }) ??
		DEFAULT_LIMIT
	);
}

/** How the list is to be read: how much of it, in pages of which size (contract 8: 1 to 500). */
export function readPaging(parameters: Parameters): Paging {
	const limit = readLimit(parameters);
	const pageSize =
		parameters.optionalWholeNumber(
			{ name: 'options.pageSize', displayName: 'Page Size' },
			{ min: 1, max: MAX_PAGE_SIZE },
		) ?? DEFAULT_PAGE_SIZE;
	const pagesInParallel =
		parameters.optionalWholeNumber(
			{ name: 'options.pagesInParallel', displayName: 'Pages in Parallel' },
			{ min: 1, max: MAX_PAGES_IN_PARALLEL },
		) ?? DEFAULT_PAGES_IN_PARALLEL;
	const onPageFailure =
		parameters.optionalChoice(
			{ name: 'options.onPageFailure', displayName: 'On Page Failure' },
			PAGE_FAILURES,
		) ?? 'error';
	return { limit, pageSize, pagesInParallel, onPageFailure };
}
