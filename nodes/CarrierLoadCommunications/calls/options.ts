import { collection, fieldsIn } from '../../shared/fields/collection';
import { InvalidParameter, type Parameters } from '../../shared/fields/parameters';
import { choice, number, text, wholeNumber } from '../../shared/fields/simpleFields';
import { timeout } from '../fields/requestOptions';
import { addReference } from './metadata';
import { phoneOptions, readPhoneNumber } from './phone';

/** Not `mode`: n8n's assistant doesn't see a field of that name (n8n 2.41: `generate-types.js`). */
export const callMode = choice({
	label: 'Mode',
	choices: [
		{ name: 'Live', value: 'live', description: 'Call the phone numbers of the items' },
		{
			name: 'Test Number',
			value: 'testNumber',
			description: "Call one number, such as your own, instead of the items'",
			// A tool's form shows only what its model may fill in.
			displayOptions: { hide: { '@tool': [true] } },
		},
		{
			name: 'Dry Run',
			value: 'dryRun',
			description: 'Check everything and return what would be sent, without placing any call',
		},
	],
	default: 'live',
	narrows: true,
	about: 'Whom to call',
	editor: {
		builderHint: {
			propertyHint: 'Leave it on dryRun until a person sets it to live. Never use fromAi.',
		},
	},
});

const TEST_NUMBER = 'Test Number';

/** Not required: n8n 2.41 would require it as soon as Mode is an expression. */
export const testNumber = text({
	label: TEST_NUMBER,
	example: '(312) 555-0199',
	about: 'Phone number to call instead of the real ones, such as your own',
	show: { callMode: ['testNumber'] },
});

/** @throws InvalidParameter for any other mode, and for one that an agent's tool can't have */
export function readMode(parameters: Parameters) {
	const read = callMode.read(parameters, 'callMode');
	if (read !== 'testNumber' || !parameters.forAgent) return read;
	throw new InvalidParameter(
		'Mode',
		"must not be Test Number for an AI agent's tool; set Calls to Test Number in the credential",
	);
}

/** @throws InvalidParameter if it is empty: the items' own numbers would ring */
export function readTestNumber(parameters: Parameters, defaultCountry: string): string {
	const typed = testNumber.read(parameters, 'testNumber');
	if (typed === undefined) throw new InvalidParameter(TEST_NUMBER, 'is empty; fill it in');
	return readPhoneNumber({ text: typed, defaultCountry, asIs: false, label: TEST_NUMBER });
}

/** How calls are placed. */
export const placingOptions = {
	callsInParallel: wholeNumber({
		label: 'Calls in Parallel',
		min: 1,
		max: 50,
		default: 1,
		about: 'How many calls to place at the same time, never two to one number',
	}),
	callsPerMinute: number({
		label: 'Calls per Minute',
		min: 0,
		default: 0,
		narrows: true,
		about: 'Maximum calls to start per minute. 0 means no limit.',
	}),
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

export const allOptions = { ...placingOptions, ...phoneOptions, addReference };

/** The Options collection of the three operations. */
export function callOptions(takesMetadata: boolean) {
	const declared = takesMetadata ? allOptions : { ...placingOptions, ...phoneOptions };
	return collection('Options', 'Add Option', declared);
}

/** How a run places its calls; read once, from the first item. @throws InvalidParameter */
export function readPlacingSettings(parameters: Parameters) {
	const options = fieldsIn(parameters, 'options', placingOptions);
	return {
		parallel: options.callsInParallel,
		perMinute: options.callsPerMinute || undefined,
		lookForMs: options.lookForLostAnswers,
		timeoutMs: options.timeout,
	};
}
