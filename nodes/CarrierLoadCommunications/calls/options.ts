import { collection, fieldsIn, refuseUnreadable } from '../../shared/fields/collection';
import { convert } from '../../shared/fields/field';
import type { Parameters } from '../../shared/fields/parameters';
import { number, wholeNumber } from '../../shared/fields/simpleFields';
import { timeout } from '../fields/requestOptions';
import { metadataOptions } from './metadata';
import { phoneOptions } from './phone';

/** How calls are placed. */
export const placingOptions = {
	callsInParallel: wholeNumber({
		label: 'Calls in Parallel',
		min: 1,
		max: 50,
		default: 1,
		about: 'How many calls to place at the same time, never two to one number',
	}),
	callsPerMinute: convert(
		number({
			label: 'Calls per Minute',
			min: 0,
			default: 0,
			narrows: true,
			about: 'Maximum calls to start per minute. 0 means no limit.',
		}),
		(perMinute) => (perMinute === 0 ? undefined : perMinute),
	),
	lookForLostAnswers: number({
		label: 'Look Up Unconfirmed Calls For (Seconds)',
		min: 0,
		max: 600,
		default: 30,
		about:
			'If a call request gets no clear response, how long to check the call list to see whether the call was placed',
		unit: 1000,
	}),
	timeout,
};

const allOptions = { ...placingOptions, ...phoneOptions, ...metadataOptions };

/** The Options collection of the three operations. */
export function callOptions(takesMetadata: boolean) {
	const declared = takesMetadata ? allOptions : { ...placingOptions, ...phoneOptions };
	return collection('Options', 'Add Option', declared);
}

/** Refuses an expression for all options that doesn't return a set of them. @throws InvalidParameter */
export function refuseUnreadableOptions(parameters: Parameters): void {
	refuseUnreadable(parameters, 'options', 'Options', allOptions);
}

/** How a run places its calls; read once, from the first item. @throws InvalidParameter */
export function readPlacingSettings(parameters: Parameters) {
	refuseUnreadableOptions(parameters);
	const options = fieldsIn(parameters, 'options', placingOptions);
	return {
		parallel: options.callsInParallel,
		perMinute: options.callsPerMinute,
		lookForMs: options.lookForLostAnswers,
		timeoutMs: options.timeout,
	};
}
