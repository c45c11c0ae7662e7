import { collection } from '../../shared/fields/collection';
import { choice, number, text, wholeNumber } from '../../shared/fields/simpleFields';
import type { Choice } from '../../shared/fields/fieldTypes';
import { timeout } from '../fields/requestOptions';
import { addReference } from './metadata';
import { phoneOptions } from './phoneFields';

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

export const TEST_NUMBER = 'Test Number';

/** Not required: n8n 2.41 would require it as soon as Mode is an expression. */
export const testNumber = text({
	label: TEST_NUMBER,
	example: '(312) 555-0199',
	about: 'Phone number to call instead of the real ones, such as your own',
	show: { callMode: ['testNumber'] },
});

export const placingOptions = {
	callsInParallel: wholeNumber({
		label: 'Calls in Parallel',
		...{ min: 1, max: 50, default: 1 },
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
		...{ min: 0, max: 600, default: 30 },
		about:
			'If a call request gets no clear response, how long to check the call list to see whether the call was placed',
		unit: 1000,
	}),
	timeout,
};

export const allOptions = { ...placingOptions, ...phoneOptions, addReference };

export function callOptions(takesMetadata: boolean) {
	const declared = takesMetadata ? allOptions : { ...placingOptions, ...phoneOptions };
	return collection('Options', 'Add Option', declared);
}

const DAYS_30_MINUTES = 30 * 24 * 60;

type WaitMode = 'no' | 'webhook' | 'polling';

const no: Choice<WaitMode> = {
	name: 'No',
	value: 'no',
	description: 'Continue as soon as the call is placed',
};
const webhook: Choice<WaitMode> = {
	name: 'Until the Webhook Event Arrives',
	value: 'webhook',
	description:
		"Pauses the execution until this package's trigger receives the call's event. For one item at a time.",
};
const polling: Choice<WaitMode> = {
	name: 'Until the Call List Shows It',
	value: 'polling',
	description:
		'Polls the call list until every call has an outcome. A restart of n8n ends the wait.',
};

const waitLimit = number({
	label: 'Wait at Most (Minutes)',
	...{ min: 0, aboveMin: true, max: DAYS_30_MINUTES, default: 60 },
	show: { waitForOutcome: ['webhook', 'polling'] },
	about: 'How long to wait before continuing without an outcome (timedOut is then true)',
	unit: 60_000,
});

const pollInterval = number({
	label: 'Poll Every (Seconds)',
	...{ min: 0, aboveMin: true, max: 3600, default: 15 },
	show: { waitForOutcome: ['polling'] },
	about: 'How often to check the call list',
	unit: 1000,
});

const waitForOutcome = (choices: ReadonlyArray<Choice<WaitMode>>) =>
	choice({
		label: 'Wait for Outcome',
		choices,
		default: 'no',
		about: "Whether to wait for the call's outcome (summary, transcript, recording)",
		editor: {
			builderHint: {
				propertyHint:
					'"webhook" needs a published workflow with this package\'s trigger; "polling" needs nothing else. Never add a Wait node and a loop instead.',
			},
		},
	});

export const waitFields = {
	waitForOutcome: waitForOutcome([no, webhook, polling]),
	waitLimit,
	pollInterval,
};

/** Events about agent calls have no metadata (contract 6), so those calls can only be polled. */
export const waitFieldsOfAgent = { ...waitFields, waitForOutcome: waitForOutcome([no, polling]) };
