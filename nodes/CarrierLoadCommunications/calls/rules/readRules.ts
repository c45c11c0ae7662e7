import type { IExecuteFunctions } from 'n8n-workflow';

import {
	everythingIn,
	fieldsIn,
	refuseUnknown,
	refuseUnreadable,
} from '../../../shared/fields/readCollection';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { runsAsTool, type Parameters } from '../../../shared/fields/parameters';
import { isJsonObject } from '../../../shared/service/json';
import type { CallsSetting } from '../../../shared/service/contract';
import { CallProblem } from '../callErrors';
import { ifReadable } from '../uncalledRow';
import type { CallingRules } from '../item';
import { refuseMoved } from '../moved';
import { allOptions, callMode } from '../options';
import { readDefaultCountry } from '../phone';
import { readMode } from '../settings';
import { refuseModelIn, refuseNoLimit } from './agentRules';
import { readDoNotCall } from './doNotCall';
import { RULE_LABELS, ruleFields, SAFETY } from './ruleFields';

/** Refuses a run with more items than calls are allowed, before the first call. @throws CallProblem */
export function refuseTooMany(items: number, parameters: Parameters): void {
	everythingIn(parameters, 'rules', SAFETY);
	const allowed = ruleFields.maxCalls.read(parameters, 'rules.maxCalls');
	if (items <= allowed) return;
	throw new CallProblem(
		`There are ${items} items, but Max Calls per Run is ${allowed}`,
		'To call all of them, raise Max Calls per Run (Safety). Otherwise filter the items before this node',
	);
}

/** Refuses to run as an AI agent's tool if its model could fill in a rule. @throws InvalidParameter */
export function refuseRulesFromModel(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (runsAsTool(context, node)) refuseModelIn(node.parameters);
}

export class RulesReader {
	private last: { from: unknown[]; rules: CallingRules } | undefined;

	/** @param calls the credential's setting: the node's rules can only be stricter */
	constructor(private readonly calls: CallsSetting) {}

	/** Those without expressions are read once. @throws InvalidParameter for a rule that can't be enforced */
	read(parameters: Parameters): CallingRules {
		const from = ['rules', 'options', 'callMode', 'testNumber'].map((name) => parameters.raw(name));
		if (this.last?.from.every((each, index) => each === from[index])) return this.last.rules;
		const rules = this.readAll(parameters);
		this.last = { from, rules };
		return rules;
	}

	/** Whether an item is in a dry run, also if it can't be planned. */
	isDryRun(parameters: Parameters): boolean {
		if (this.calls.mode === 'dryRun') return true;
		return ifReadable(() => callMode.read(parameters, 'callMode')) === 'dryRun';
	}

	private readAll(parameters: Parameters): CallingRules {
		refuseLostRules(parameters);
		refuseEmptyCountry(parameters);
		const rules = fieldsIn(parameters, 'rules', ruleFields);
		const { maxCallsPerHour: perHour, maxCallsPerDay: perDay, maxCallsPerNumber } = rules;
		const limits = { perHour, perDay, perNumber: maxCallsPerNumber };
		if (parameters.forAgent) refuseNoLimit(limits);
		const country = readDefaultCountry(parameters);
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

function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	if (typeof value === 'string') return /^[\s,;|]*$/.test(value);
	return value === null || value === undefined;
}

/** Neither an expression without a value nor a misspelled name may turn a rule off. */
function refuseLostRules(parameters: Parameters): void {
	const added = everythingIn(parameters, 'rules', SAFETY);
	refuseMoved(added, SAFETY);
	refuseUnknown(added, SAFETY, ruleFields);
	const { hours: group } = added;
	const range = isJsonObject(group) && isJsonObject(group.range) ? group.range : {};
	for (const [name, value] of [...Object.entries(added), ...Object.entries(range)]) {
		// A list from a table may be empty.
		const isList = name === 'doNotCall' && Array.isArray(value);
		if (isList || !isBlank(value)) continue;
		const problem = 'is empty; fill it in, or remove it from Safety';
		throw new InvalidParameter(RULE_LABELS.get(name) ?? name, problem);
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
