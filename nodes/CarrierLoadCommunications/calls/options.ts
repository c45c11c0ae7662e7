import { collection, fieldsIn } from '../../shared/fields/collection';
import { group, type Field } from '../../shared/fields/field';
import type { Parameters } from '../../shared/fields/parameters';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import { choice, number, text, wholeNumber, type Choice } from '../../shared/fields/simpleFields';
import type { CallsSetting } from '../../shared/service/contract';
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

/** What Mode or the credential's Calls setting does to an item's call. */
export interface Mode {
	/** E.164 number to call instead of the item's, and which setting decided that. */
	testNumber: { toPhone: string; decidedBy: string } | undefined;
	/** How to place the call after all; undefined unless this is a dry run. */
	dryRun: string | undefined;
}

/**
 * @param calls the credential's setting: the node's can only be stricter
 * @throws InvalidParameter also for a test number that can't be called: the items' own would ring
 */
export function readMode(parameters: Parameters, calls: CallsSetting, country: string): Mode {
	const mode = callMode.read(parameters, 'callMode');
	if (mode === 'testNumber' && parameters.forAgent) {
		throw new InvalidParameter(
			'Mode',
			"must not be Test Number for an AI agent's tool; set Calls to Test Number in the credential",
		);
	}
	let dryRun = mode === 'dryRun' ? 'To place the call, set Mode to Live' : undefined;
	if (calls.mode === 'dryRun') {
		dryRun =
			"The credential's Calls setting decided that. To place the call, set it to Live in the credential";
	}
	if (calls.mode === 'paused' && dryRun !== undefined) {
		dryRun =
			"The credential's Calls setting is Paused. To place the call, set it to Live in the credential, and Mode to Live";
	}
	if (calls.mode === 'testNumber') {
		// Other workflows have other default countries.
		const toPhone = readTestNumber("The credential's Test Number", 'US', calls.testNumber);
		return { dryRun, testNumber: { toPhone, decidedBy: "the credential's Calls setting" } };
	}
	if (mode !== 'testNumber') return { dryRun, testNumber: undefined };
	const toPhone = readTestNumber(TEST_NUMBER, country, testNumber.read(parameters, 'testNumber'));
	return { dryRun, testNumber: { toPhone, decidedBy: 'Mode' } };
}

function readTestNumber(label: string, defaultCountry: string, text = ''): string {
	if (text === '') throw new InvalidParameter(label, 'is empty; fill it in');
	return readPhoneNumber({ text, defaultCountry, label });
}

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

const DAYS_30_MINUTES = 30 * 24 * 60;

export type WaitSettings =
	| { mode: 'no' }
	| { mode: 'webhook'; limitMs: number }
	| { mode: 'polling'; limitMs: number; intervalMs: number };

const no: Choice<WaitSettings['mode']> = {
	name: 'No',
	value: 'no',
	description: 'Continue as soon as the call is placed',
};
const webhook: Choice<WaitSettings['mode']> = {
	name: 'Until the Webhook Event Arrives',
	value: 'webhook',
	description:
		"Pauses the execution until this package's trigger receives the call's event. For one item at a time.",
};
const polling: Choice<WaitSettings['mode']> = {
	name: 'Until the Call List Shows It',
	value: 'polling',
	description:
		"Polls the call list until every call has an outcome. Meanwhile the execution keeps a place of n8n's concurrency limit, and a restart of n8n ends it.",
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

/** Events about agent calls have no metadata (contract 6), so those calls can only be polled. */
export function waitField(takesMetadata: boolean): Field<WaitSettings> {
	const waitForOutcome = choice({
		label: 'Wait for Outcome',
		choices: takesMetadata ? [no, webhook, polling] : [no, polling],
		default: 'no',
		about: "Whether to wait for the call's outcome (summary, transcript, recording)",
		editor: {
			builderHint: {
				propertyHint:
					'"webhook" needs a published workflow with this package\'s trigger; "polling" needs nothing else. Never add a Wait node and a loop instead.',
			},
		},
	});
	return group({ waitForOutcome, waitLimit, pollInterval }, (read): WaitSettings => {
		const mode = read('waitForOutcome');
		if (mode === 'no') return { mode };
		const limitMs = read('waitLimit');
		return mode === 'webhook'
			? { mode, limitMs }
			: { mode, limitMs, intervalMs: read('pollInterval') };
	});
}
