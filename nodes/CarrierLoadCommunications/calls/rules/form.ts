import type { IExecuteFunctions } from 'n8n-workflow';

import {
	collection,
	everythingIn,
	fieldsIn,
	refuseUnknown,
	refuseUnreadable,
} from '../../../shared/fields/collection';
import { convert, propertiesOf, type Field } from '../../../shared/fields/field';
import { expressionsIn, runsAsTool, type Parameters } from '../../../shared/fields/parameters';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { choices, number, text, wholeNumber } from '../../../shared/fields/simpleFields';
import { isJsonObject } from '../../../shared/service/json';
import type { CallsSetting } from '../../../shared/service/contract';
import { CallProblem } from '../callErrors';
import { refuseMoved } from '../moved';
import { allOptions, callMode, readMode, type Mode } from '../options';
import { COUNTRIES, phoneOptions } from '../phone';
import { isSupportedCountry } from '../phoneLibrary';
import { readDoNotCall, type DoNotCall } from './doNotCall';
import { DAYTIME, errorOrSkip, fixed, hours, rangeFields, type CallingHours } from './hours';
import type { Limits } from './limits';

/** An item's rules; undefined if it has none of the kind. */
export interface CallingRules extends Mode {
	/** ISO 3166 codes of those that may be called. */
	countries: ReadonlySet<string>;
	doNotCall: DoNotCall | undefined;
	hours: CallingHours | undefined;
	limits: Limits;
	/** The duplicate guard's time in milliseconds. */
	skipWithinMs: number | undefined;
	/** How long to wait for another call to the phone to end. */
	samePhonePauseMs: number;
}

const allowedCountries = convert(
	choices({
		label: 'Allowed Countries',
		choices: COUNTRIES,
		about:
			'Countries that may be called; without this rule, the US, Canada, Mexico and the default country. An expression can give other ISO codes, e.g. JM.',
		editor: { default: ['US', 'CA', 'MX'] },
	}),
	(codes) =>
		codes.map((code) => {
			const country = code.toUpperCase();
			if (isSupportedCountry(country)) return country;
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

/** At most so many calls; no limit unless the rule is added. */
const most = (label: string, max: number, prefill: number, about: string) =>
	wholeNumber({ label, min: 1, max, prefill, about, ...fixed });

/** In the order of use: when and whom to call, how often, and how many. */
const ruleFields = {
	hours: {
		...hours,
		read: (parameters: Parameters, name: string) =>
			parameters.raw(name) === undefined ? undefined : hours.read(parameters, name),
	},
	doNotCall,
	onDoNotCall: errorOrSkip({
		label: 'Do Not Call: If Listed',
		default: 'skip',
		about:
			'What to do with an item whose number is on the list. A skipped item has the Call Result doNotCall.',
	}),
	allowedCountries,
	maxCallsPerNumber: most(
		'Max Calls per Person per Day',
		100,
		3,
		"Maximum number of calls to one phone number in any 24 hours. Everyone's calls in the service's call list count.",
	),
	samePhonePause: number({
		label: 'Pause Between Calls to One Phone (Minutes)',
		...{ min: 0, max: 60, default: 3 },
		about:
			"If this n8n called the number for another load, wait until that call has ended, at most this long. 0 means don't wait.",
		unit: 60_000,
		...fixed,
	}),
	maxCallsPerHour: most(
		'Max Calls per Hour',
		2_000,
		100,
		'Maximum number of calls this node places in any 60 minutes. Each n8n process counts its own.',
	),
	maxCallsPerDay: most(
		'Max Calls per Day',
		10_000,
		1000,
		'Maximum number of calls this node places in any 24 hours. Each n8n process counts its own.',
	),
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
		...{ min: 0, max: 7 * 24 * 60, default: 10 },
		narrows: true,
		about:
			'Skip the call if the number was called about the load (for an agent call: with the same agent and variables) within this time. 0 means never skip.',
		unit: 60_000,
	}),
};

const LABEL = 'Safety';

export const callingRules = collection(LABEL, 'Add Rule', ruleFields, {
	// Nobody is called at night, or twice, unless someone removed a rule that they saw.
	filled: { hours: DAYTIME, skipIfCalledWithin: 10 },
	inOrder: true,
	propertyHint:
		'Always set hours (range: from, to), doNotCall, maxCallsPerHour, maxCallsPerDay and maxCallsPerNumber. Never fill in a rule with fromAi.',
});

const LABELS = new Map(
	propertiesOf({ ...ruleFields, ...rangeFields }).map((field) => [field.name, field.displayName]),
);

/** Refuses a run with more items than calls are allowed, before the first call. @throws CallProblem */
export function refuseTooMany(items: number, parameters: Parameters): void {
	everythingIn(parameters, 'rules', LABEL);
	const allowed = ruleFields.maxCalls.read(parameters, 'rules.maxCalls');
	if (items <= allowed) return;
	throw new CallProblem(
		`There are ${items} items, but Max Calls per Run is ${allowed}`,
		'To call all of them, raise Max Calls per Run (Safety). Otherwise filter the items before this node',
	);
}

export class RulesReader {
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
		const rules = fieldsIn(parameters, 'rules', ruleFields);
		const { maxCallsPerHour: perHour, maxCallsPerDay: perDay, maxCallsPerNumber } = rules;
		const limits = { perHour, perDay, perNumber: maxCallsPerNumber };
		if (parameters.forAgent) refuseNoLimit(limits);
		const country = phoneOptions.defaultCountry.read(parameters, 'options.defaultCountry');
		const chosen = rules.allowedCountries;
		const { doNotCall: list, onDoNotCall: onListed } = rules;
		return {
			...readMode(parameters, this.calls, country),
			countries: new Set(chosen.length > 0 ? chosen : ['US', 'CA', 'MX', country]),
			doNotCall:
				list === undefined ? undefined : { numbers: readDoNotCall(list, country), onListed },
			hours: rules.hours,
			limits,
			skipWithinMs: rules.skipIfCalledWithin || undefined,
			samePhonePauseMs: rules.samePhonePause,
		};
	}
}

/** An agent's model may call one number after another. @throws CallProblem */
function refuseNoLimit(limits: Limits): void {
	if (Object.values(limits).some((limit) => limit !== undefined)) return;
	throw new CallProblem(
		'This tool may not place calls without a limit',
		"Do not retry. For the workflow's owner: add Max Calls per Hour, Max Calls per Day or Max Calls per Person per Day to this node's Safety, so that the AI agent can't place calls without limit",
	);
}

function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	if (typeof value === 'string') return /^[\s,;|]*$/.test(value);
	return value === null || value === undefined;
}

/** Neither an expression without a value nor a misspelled name may turn a rule off. */
function refuseLostRules(parameters: Parameters): void {
	const added = everythingIn(parameters, 'rules', LABEL);
	refuseMoved(added, LABEL);
	refuseUnknown(added, LABEL, ruleFields);
	const { hours: group } = added;
	const range = isJsonObject(group) && isJsonObject(group.range) ? group.range : {};
	for (const [name, value] of [...Object.entries(added), ...Object.entries(range)]) {
		// A list from a table may be empty.
		const isList = name === 'doNotCall' && Array.isArray(value);
		if (isList || !isBlank(value)) continue;
		const problem = 'is empty; fill it in, or remove it from Safety';
		throw new InvalidParameter(LABELS.get(name) ?? name, problem);
	}
	if (Object.hasOwn(added, 'onDoNotCall') && !Object.hasOwn(added, 'doNotCall')) {
		const problem = 'does nothing without Do Not Call; add it, or remove this rule';
		throw new InvalidParameter('Do Not Call: If Listed', problem);
	}
}

/** Numbers read with a default country that no one chose may be a stranger's. */
function refuseEmptyCountry(parameters: Parameters): void {
	refuseUnreadable(parameters, 'options', 'Options', allOptions);
	const options = everythingIn(parameters, 'options', 'Options');
	if (!Object.hasOwn(options, 'defaultCountry') || !isBlank(options.defaultCountry)) return;
	throw new InvalidParameter('Default Country', 'is empty; choose one, or remove it from Options');
}

/** Parameters that the rules depend on, with their labels. A model must not fill them in. */
const PROTECTED = { rules: LABEL, options: 'Options', callMode: 'Mode', testNumber: 'Test Number' };

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
