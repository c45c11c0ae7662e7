import type { INodeProperties } from 'n8n-workflow';

import {
	DEFAULT_PAGE_SIZE,
	DEFAULT_PAGES_IN_PARALLEL,
	DEFAULT_TIMEOUT_MS,
	MAX_PAGE_SIZE,
} from '../service/http/defaults';
import type { Parameters } from './parameters';

/** More would only make the service refuse them. */
export const MAX_PAGES_IN_PARALLEL = 16;

const DEFAULT_TIMEOUT_SECONDS = DEFAULT_TIMEOUT_MS / 1000;
const MAX_TIMEOUT_SECONDS = 600;
const MAX_INTERVAL_MS = 600_000;

export const PAGE_FAILURES = ['error', 'partial'] as const;

/** Options of every operation: how fast items follow each other, how long an answer may take. */
export const requestOptions: INodeProperties[] = [
	{
		displayName: 'Batch Interval (Ms)',
		name: 'batchInterval',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_INTERVAL_MS, numberPrecision: 0 },
		default: 1000,
		description: 'How long to pause between two batches of input items, in milliseconds',
	},
	{
		displayName: 'Items per Batch',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 10,
		description:
			'How many input items to handle before each pause. Items are always handled one after another.',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT_SECONDS },
		default: DEFAULT_TIMEOUT_SECONDS,
		description: 'How long to wait for each answer of the service',
	},
];

/** Options of the operations that read a list page by page. */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'On Page Failure',
		name: 'onPageFailure',
		type: 'options',
		options: [
			{
				name: 'Stop With an Error',
				value: 'error',
				description: 'Return nothing of a list that could not be read to its end',
			},
			{
				name: 'Return What Was Read',
				value: 'partial',
				description: 'Return the pages before the failure, and a hint that says where it stopped',
			},
		],
		default: 'error',
		description: 'What to do when a page cannot be read, also after trying again',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_PAGE_SIZE, numberPrecision: 0 },
		default: DEFAULT_PAGE_SIZE,
		description: 'How many records to ask for at a time. Does not change what is returned.',
	},
	{
		displayName: 'Pages in Parallel',
		name: 'pagesInParallel',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_PAGES_IN_PARALLEL, numberPrecision: 0 },
		default: DEFAULT_PAGES_IN_PARALLEL,
		description:
			'How many pages to read at the same time. Fewer are read by itself when the service says it is too many.',
	},
];

/** The "Options" collection, its entries in the order of their names. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...options].sort((one, other) => one.displayName.localeCompare(other.displayName)),
	};
}

/** How long one request may take, in milliseconds; undefined for the default. */
export function readTimeoutMs(parameters: Parameters): number | undefined {
	const seconds = parameters.optionalNumber(
		{ name: 'options.timeout', displayName: 'Timeout (Seconds)' },
		{ min: 1, max: MAX_TIMEOUT_SECONDS },
	);
	return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

/** A pause of so many milliseconds after every so many input items. */
export interface Batching {
	size: number;
	pauseMs: number;
}

/** The batches of input items; undefined when there is no pause between items. */
export function readBatching(parameters: Parameters): Batching | undefined {
	const size = parameters.optionalWholeNumber(
		{ name: 'options.batchSize', displayName: 'Items per Batch' },
		{ min: 1 },
	);
	const pauseMs = parameters.optionalWholeNumber(
		{ name: 'options.batchInterval', displayName: 'Batch Interval (Ms)' },
		{ min: 0, max: MAX_INTERVAL_MS },
	);
	if (size === undefined && pauseMs === undefined) return undefined;
	return { size: size ?? 1, pauseMs: pauseMs ?? 1000 };
}
