import { InvalidParameter, type Parameters } from '../../shared/fields/parameters';
import { choice, text } from '../../shared/fields/simpleFields';
import { readPhoneNumber } from './phone';

const MODE = 'Mode';
const TEST_NUMBER = 'Test Number';

/** Not `mode`: n8n's assistant doesn't see a field of that name (n8n 2.41: `generate-types.js`). */
export const callMode = choice({
	label: MODE,
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
		MODE,
		"must not be Test Number for an AI agent's tool; set Calls to Test Number in the credential",
	);
}

/** @throws InvalidParameter if it is empty: the items' own numbers would ring */
export function readTestNumber(parameters: Parameters, defaultCountry: string): string {
	const typed = testNumber.read(parameters, 'testNumber');
	if (typed === undefined) throw new InvalidParameter(TEST_NUMBER, 'is empty; fill it in');
	return readPhoneNumber({ text: typed, defaultCountry, asIs: false, label: TEST_NUMBER });
}
