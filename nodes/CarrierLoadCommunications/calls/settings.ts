import { fieldsIn } from '../../shared/fields/readCollection';
import type { Parameters } from '../../shared/fields/parameters';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import type { CallsSetting } from '../../shared/service/contract';
import {
	callMode,
	placingOptions,
	TEST_NUMBER,
	testNumber,
	waitFields,
	waitFieldsOfAgent,
} from './options';
import { readPhoneNumber } from './phone';

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

export type WaitSettings =
	| { mode: 'no' }
	| { mode: 'webhook'; limitMs: number }
	| { mode: 'polling'; limitMs: number; intervalMs: number };

/** @param takesMetadata whether an event can be told to be about the call */
export function readWait(parameters: Parameters, takesMetadata: boolean): WaitSettings {
	const { waitForOutcome, waitLimit, pollInterval } = takesMetadata
		? waitFields
		: waitFieldsOfAgent;
	const mode = waitForOutcome.read(parameters, 'waitForOutcome');
	if (mode === 'no') return { mode };
	const limitMs = waitLimit.read(parameters, 'waitLimit');
	if (mode === 'webhook') return { mode, limitMs };
	return { mode, limitMs, intervalMs: pollInterval.read(parameters, 'pollInterval') };
}
