import type { IExecuteFunctions } from 'n8n-workflow';

import { collection, everythingIn, refuseUnknown } from '../../../shared/fields/collection';
import { convert, type Field } from '../../../shared/fields/field';
import {
	expressionsIn,
	InvalidParameter,
	runsAsTool,
	type Parameters,
} from '../../../shared/fields/parameters';
import { choices, number, text, wholeNumber } from '../../../shared/fields/simpleFields';
import type { CallsSetting } from '../../../shared/service/request';
import { CallProblem } from '../callErrors';
import { callMode, readMode, readTestNumber } from '../mode';
import { refuseMovedRules } from '../moved';
import { refuseUnreadableOptions } from '../options';
import { COUNTRIES, phoneOptions, readPhoneNumber } from '../phone';
import { isSupportedCountry } from '../phoneLibrary';
import { NO_COUNTRY, NO_COUNTRY_NAME, type AllowedCountries } from './countries';
import { DoNotCallReader, type DoNotCall } from './doNotCall';
import { DAYTIME, errorOrSkip, fixed, hours, isBlank, type CallingHours } from './hours';
import type { Limits } from './limits';

export interface CallingRules {
	/** E.164 number to call instead of the item's, and which setting decided that. */
	testNumber: { toPhone: string; decidedBy: string } | undefined;
	countries: AllowedCountries;
	doNotCall: DoNotCall;
	hours: CallingHours | undefined;
	limits: Limits;
	/** The duplicate guard's time in milliseconds; undefined if it is off. */
	skipWithinMs: number | undefined;
	/** How long to wait for another call to the phone to end. */
	samePhonePauseMs: number;
	/** How to place the call after all; undefined unless this is a dry run. */
	dryRun: string | undefined;
}

const allowedCountries = convert(
	choices({
		label: 'Allowed Countries',
		choices: [...COUNTRIES, { name: NO_COUNTRY_NAME, value: NO_COUNTRY }],
		about:
			'Countries that may be called; without this rule, the US, Canada, Mexico and the default country. An expression can give other ISO codes, e.g. JM.',
		editor: { default: ['US', 'CA', 'MX'] },
	}),
	(codes) =>
		codes.map((code) => {
			const country = code.toUpperCase();
			if (country === NO_COUNTRY || isSupportedCountry(country)) return country;
			throw new InvalidParameter('Allowed Countries', 'must be ISO country codes such as US', code);
		}),
);

const doNotCall: Field<unknown> = {
	...text({
		label: 'Do Not Call',
		example: '(312) 555-0188, +52 55 1234 5678',
		about:
			"Numbers never to call, separated by commas or lines. An expression can give a table's rows: {{ $('Do-not-call list').all() }}",
		editor: { typeOptions: { rows: 3 } },
	}),
	read: (parameters, name) => parameters.raw(name),
};

const WEEK_MINUTES = 7 * 24 * 60;

/** In the order of use: when and whom to call, how often, and how many. */
const ruleFields = {
	hours,
	doNotCall,
	onDoNotCall: errorOrSkip({
		label: 'Do Not Call: If Listed',
		default: 'skip',
		about:
			'What to do with an item whose number is on the list. A skipped item has the Call Result doNotCall.',
	}),
	allowedCountries,
	maxCallsPerNumber: wholeNumber({
		label: 'Max Calls per Person per Day',
		min: 1,
		max: 100,
		prefill: 3,
		about:
			"Maximum number of calls to one phone number in any 24 hours. Everyone's calls in the service's call list count.",
		...fixed,
	}),
	samePhonePause: number({
		label: 'Pause Between Calls to One Phone (Minutes)',
		min: 0,
		max: 60,
		default: 3,
		about:
			"If this n8n called the number for another load, wait until that call has ended, at most this long. 0 means don't wait.",
		unit: 60_000,
		...fixed,
	}),
	maxCallsPerHour: wholeNumber({
		label: 'Max Calls per Hour',
		min: 1,
		max: 2_000,
		prefill: 100,
		about:
			'Maximum number of calls this node places in any 60 minutes. Each n8n process counts its own.',
		...fixed,
	}),
	maxCallsPerDay: wholeNumber({
		label: 'Max Calls per Day',
		min: 1,
		max: 10_000,
		prefill: 1000,
		about:
			'Maximum number of calls this node places in any 24 hours. Each n8n process counts its own.',
		...fixed,
	}),
	maxCalls: wholeNumber({
		label: 'Max Calls per Run',
		min: 1,
		default: 25,
		about:
			'Maximum number of items each time this node runs; a loop runs it once per batch. If there are more, no call is placed.',
		...fixed,
	}),
	skipIfCalledWithin: number({
		label: 'Skip If Called Within (Minutes)',
		min: 0,
		max: WEEK_MINUTES,
		default: 10,
		narrows: true,
		about:
			'Skip the call if the number was called about the load (for an agent call: with the same agent and variables) within this time. 0 means never skip.',
	}),
};

const LABEL = 'Safety';

/** Nobody is called at night, or twice, unless someone removed a rule that they saw. */
const filled = { hours: DAYTIME, skipIfCalledWithin: 10 };

export const callingRules = collection(LABEL, 'Add Rule', ruleFields, {
	filled,
	inOrder: true,
	propertyHint:
		'Always set hours (range: from, to), doNotCall, maxCallsPerHour, maxCallsPerDay and maxCallsPerNumber. Never fill in a rule with fromAi.',
});

const LABELS = new Map(
	Object.entries(ruleFields).map(([name, field]) => [name, field.properties(name)[0]?.displayName]),
);

const ALWAYS_ALLOWED = ['US', 'CA', 'MX'];

/** Refuses a run with more items than calls are allowed, before the first call. @throws CallProblem */
export function refuseTooMany(items: number, parameters: Parameters): void {
	everythingIn(parameters, 'rules', LABEL);
	const most = ruleFields.maxCalls.read(parameters, 'rules.maxCalls');
	if (items <= most) return;
	throw new CallProblem(
		`There are ${items} items, but Max Calls per Run is ${most}`,
		'To call all of them, raise Max Calls per Run (Safety). Otherwise filter the items before this node',
	);
}

export class RulesReader {
	private readonly doNotCall = new DoNotCallReader();
	private last: { from: unknown[]; rules: CallingRules } | undefined;

	/** @param calls the credential's setting: the node's rules can only be stricter */
	constructor(private readonly calls: CallsSetting) {}

	/**
	 * The rules of one item. Those without expressions are read once.
	 *
	 * @throws InvalidParameter for a rule that can't be enforced: it would be worse than none
	 */
	read(parameters: Parameters): CallingRules {
		const from = ['rules', 'options', 'callMode', 'testNumber'].map((name) => parameters.raw(name));
		if (this.last?.from.every((each, index) => each === from[index])) return this.last.rules;
		const rules = this.readAll(parameters);
		this.last = { from, rules };
		return rules;
	}

	/** Whether an item is in a dry run, also if it can't be planned. */
	isDryRun(parameters: Parameters): boolean {
		try {
			return this.calls.mode === 'dryRun' || callMode.read(parameters, 'callMode') === 'dryRun';
		} catch {
			return false;
		}
	}

	private readAll(parameters: Parameters): CallingRules {
		refuseLostRules(parameters);
		refuseEmptyCountry(parameters);
		const rules = callingRules.read(parameters, 'rules');
		const { maxCallsPerHour: perHour, maxCallsPerDay: perDay } = rules;
		const limits = { perHour, perDay, perNumber: rules.maxCallsPerNumber };
		if (parameters.forAgent) refuseNoLimit(limits);
		const chosenMode = readMode(parameters);
		const country = phoneOptions.defaultCountry.read(parameters, 'options.defaultCountry');
		const chosen = rules.allowedCountries.length > 0;
		const codes = chosen ? rules.allowedCountries : [...ALWAYS_ALLOWED, country];
		return {
			testNumber: this.testNumber(parameters, chosenMode, country),
			countries: { codes: new Set(codes), chosen },
			doNotCall: {
				numbers: this.doNotCall.read(rules.doNotCall, country),
				onListed: rules.onDoNotCall,
			},
			hours: rules.hours,
			limits,
			skipWithinMs: rules.skipIfCalledWithin === 0 ? undefined : rules.skipIfCalledWithin * 60_000,
			samePhonePauseMs: rules.samePhonePause,
			dryRun: this.dryRun(chosenMode === 'dryRun'),
		};
	}

	private testNumber(
		parameters: Parameters,
		chosen: ReturnType<typeof readMode>,
		country: string,
	): CallingRules['testNumber'] {
		if (this.calls.mode === 'testNumber') {
			const label = "The credential's Test Number";
			const { testNumber: text } = this.calls;
			if (text === '') throw new InvalidParameter(label, 'is empty; fill it in');
			// Other workflows have other default countries.
			const toPhone = readPhoneNumber({ text, defaultCountry: 'US', asIs: false, label });
			return { toPhone, decidedBy: "the credential's Calls setting" };
		}
		if (chosen !== 'testNumber') return undefined;
		return { toPhone: readTestNumber(parameters, country), decidedBy: 'Mode' };
	}

	private dryRun(isChosen: boolean): string | undefined {
		if (this.calls.mode === 'dryRun') {
			return "The credential's Calls setting decided that. To place the call, set it to Live in the credential";
		}
		return isChosen ? 'To place the call, set Mode to Live' : undefined;
	}
}

/** An agent's model may call one number after another. @throws CallProblem */
function refuseNoLimit(limits: Limits): void {
	if (Object.values(limits).some((most) => most !== undefined)) return;
	throw new CallProblem(
		'This tool may not place calls without a limit',
		"Do not retry. For the workflow's owner: add Max Calls per Hour, Max Calls per Day or Max Calls per Person per Day to this node's Safety, so that the AI agent can't place calls without limit",
	);
}

/** Neither an expression without a value nor a misspelled name may turn a rule off. */
function refuseLostRules(parameters: Parameters): void {
	const added = everythingIn(parameters, 'rules', LABEL);
	refuseMovedRules(added);
	refuseUnknown(added, LABEL, ruleFields);
	for (const [name, value] of Object.entries(added)) {
		const label = LABELS.get(name) ?? name;
		// A list from a table may be empty.
		const isList = name === 'doNotCall' && Array.isArray(value);
		if (isBlank(value) && !isList) {
			throw new InvalidParameter(label, 'is empty; fill it in, or remove it from Safety');
		}
	}
	if (Object.hasOwn(added, 'onDoNotCall') && !Object.hasOwn(added, 'doNotCall')) {
		const problem = 'does nothing without Do Not Call; add it, or remove this rule';
		throw new InvalidParameter('Do Not Call: If Listed', problem);
	}
}

/** Numbers read with a default country that nobody chose may be a stranger's. */
function refuseEmptyCountry(parameters: Parameters): void {
	refuseUnreadableOptions(parameters);
	const options = everythingIn(parameters, 'options', 'Options');
	if (!Object.hasOwn(options, 'defaultCountry') || !isBlank(options.defaultCountry)) return;
	throw new InvalidParameter('Default Country', 'is empty; choose one, or remove it from Options');
}

/** Parameters that the rules depend on, with their labels. A model must not fill them in. */
const PROTECTED = {
	rules: LABEL,
	options: 'Options',
	callMode: 'Mode',
	testNumber: 'Test Number',
};

/**
 * What brings a model's words into an expression: $fromAI, and the tool's own input (n8n-workflow
 * 2.41: `workflow-data-proxy.js`, `from-ai-parse-utils.js`).
 */
const FROM_MODEL = /\$(?:from_?ai|tool|json|input|binary|data|items?|parameter)\b/i;

/**
 * Refuses to run as an AI agent's tool if the model could fill in a rule: the editor offers that for
 * each field that accepts expressions. @throws InvalidParameter
 */
export function refuseRulesFromModel(context: IExecuteFunctions): void {
	if (!runsAsTool(context)) return;
	const { parameters } = context.getNode();
	for (const [name, label] of Object.entries(PROTECTED)) {
		const expression = expressionsIn(parameters[name]).find((text) => FROM_MODEL.test(text));
		if (expression === undefined) continue;
		throw new InvalidParameter(
			label,
			'must not be filled in by the AI model; enter a value, or an expression that does not use $fromAI or the tool input',
			expression,
		);
	}
}
