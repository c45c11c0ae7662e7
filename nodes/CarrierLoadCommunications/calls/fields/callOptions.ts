import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from '../../../shared/fields/parameters';
import { optionsField, readTimeoutMs, requestOptions } from '../../../shared/fields/requestOptions';
import { metadataOptions } from './metadata';
import { phoneOptions } from './phoneFields';

const DAY_MINUTES = 24 * 60;
const DEFAULT_LOOK_SECONDS = 30;

const placingOptions: INodeProperties[] = [
	{
		displayName: 'Calls in Parallel',
		name: 'callsInParallel',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 1,
		description:
			'How many calls to place at the same time. One number is never dialled twice at once.',
	},
	{
		displayName: 'Calls per Minute',
		name: 'callsPerMinute',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'How many calls may begin in a minute; 0 for as fast as they come',
	},
	{
		displayName: 'Check All Items First',
		name: 'checkAllFirst',
		type: 'boolean',
		default: true,
		description: 'Whether to check the fields of all items before the first phone rings',
	},
	{
		displayName: 'Look for Lost Answers (Seconds)',
		name: 'lookForLostAnswers',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 600 },
		default: DEFAULT_LOOK_SECONDS,
		description:
			'How long to look for a call in the call list when the answer to its request was lost, so that it is unknown whether the phone rang',
	},
	{
		displayName: 'Skip if Called Within (Minutes)',
		name: 'skipIfCalledWithin',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 7 * DAY_MINUTES },
		default: 0,
		description:
			'Do not dial when there was a call to this number for this load so recently; the item goes on with that call. 0 to always dial.',
	},
];

/** The Options collection of the three operations. */
export function callOptions({ metadata }: { metadata: boolean }): INodeProperties {
	return optionsField([
		...placingOptions,
		...phoneOptions,
		...(metadata ? metadataOptions : []),
		...requestOptions.filter(({ name }) => name === 'timeout'),
	]);
}

/** How a run of the node places its calls; read once, from the first item. */
export interface PlacingSettings {
	parallel: number;
	perMinute: number | undefined;
	checkAllFirst: boolean;
	lookForMs: number;
	timeoutMs: number | undefined;
}

/** @throws InvalidParameter for values out of bounds */
export function readPlacingSettings(parameters: Parameters): PlacingSettings {
	const option = (name: string, displayName: string) => ({ name: `options.${name}`, displayName });
	const perMinute = parameters.optionalNumber(option('callsPerMinute', 'Calls per Minute'), {
		min: 0,
	});
	const lookForSeconds = parameters.optionalNumber(
		option('lookForLostAnswers', 'Look for Lost Answers (Seconds)'),
		{ min: 0, max: 600 },
	);
	return {
		parallel:
			parameters.optionalWholeNumber(option('callsInParallel', 'Calls in Parallel'), {
				min: 1,
				max: 50,
			}) ?? 1,
		perMinute: perMinute === 0 ? undefined : perMinute,
		checkAllFirst:
			parameters.optionalFlag(option('checkAllFirst', 'Check All Items First')) ?? true,
		lookForMs: (lookForSeconds ?? DEFAULT_LOOK_SECONDS) * 1000,
		timeoutMs: readTimeoutMs(parameters),
	};
}

/** The minutes of the duplicate guard in milliseconds; undefined when it is off. */
export function readSkipWithinMs(parameters: Parameters): number | undefined {
	const minutes = parameters.optionalNumber(
		{ name: 'options.skipIfCalledWithin', displayName: 'Skip if Called Within (Minutes)' },
		{ min: 0, max: 7 * DAY_MINUTES },
	);
	return minutes ? minutes * 60_000 : undefined;
}
