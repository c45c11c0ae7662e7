import { everythingIn, refuseUnknown } from '../../../../shared/fields/collection';
import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../../shared/fields/parameters';
import type { ValuesOf } from '../../../../shared/fields/field';
import { refuseUnreadableOptions } from '../../fields/callOptions';
import { phoneOptions } from '../../fields/phone';
import { CallProblem } from '../../output/callErrors';
import { readPhoneNumber } from '../../plan/phoneNumber';
import type { CallingHours } from '../callingHours';
import type { CallingRules } from '../callingRules';
import { DoNotCallReader } from '../doNotCall';
import { callingRules, ruleFields } from './rulesFields';

type Values = ValuesOf<typeof ruleFields>;

const LABEL = 'Calling Rules';
const LABELS = new Map(
	Object.entries(ruleFields).map(([name, field]) => [name, field.properties(name)[0]?.displayName]),
);

const HOURS = ['hoursFrom', 'hoursTo', 'hoursDays'];
/** Rules that only say how another rule is applied. */
const NEEDS: Record<string, string[]> = {
	hoursZone: HOURS,
	outsideHours: HOURS,
	onDoNotCall: ['doNotCall'],
};

const ALWAYS_ALLOWED = ['US', 'CA', 'MX'];
const DAY_MINUTES = 24 * 60;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** Refuses a run with more items than calls are allowed, before the first call. @throws CallProblem */
export function refuseTooMany(items: number, parameters: Parameters): void {
	everythingIn(parameters, 'rules', LABEL);
	const most = ruleFields.maxCalls.read(parameters, 'rules.maxCalls');
	if (items <= most) return;
	throw new CallProblem(
		`There are ${items} items, but Max Calls per Run is ${most}`,
		'If all of them are to be called, raise Max Calls per Run (Calling Rules); otherwise filter the items before this node',
	);
}

export class RulesReader {
	private readonly doNotCall = new DoNotCallReader();
	private last: { from: unknown[]; rules: CallingRules } | undefined;

	/**
	 * The rules of one item. Those without expressions are read once.
	 *
	 * @throws InvalidParameter for a rule that can't be enforced: it would be worse than none
	 */
	read(parameters: Parameters): CallingRules {
		const from = [parameters.raw('rules'), parameters.raw('options')];
		if (this.last?.from.every((each, index) => each === from[index])) return this.last.rules;
		const rules = this.readAll(parameters);
		this.last = { from, rules };
		return rules;
	}

	private readAll(parameters: Parameters): CallingRules {
		refuseLostRules(parameters);
		refuseEmptyCountry(parameters);
		const rules = callingRules.read(parameters, 'rules');
		const country = phoneOptions.defaultCountry.read(parameters, 'options.defaultCountry');
		const chosen = rules.allowedCountries.length > 0;
		const codes = chosen ? rules.allowedCountries : [...ALWAYS_ALLOWED, country];
		return {
			testNumber: readTestNumber(rules.testNumber, country),
			countries: { codes: new Set(codes), chosen },
			doNotCall: {
				numbers: this.doNotCall.read(rules.doNotCall, country),
				onListed: rules.onDoNotCall,
			},
			hours: readHours(rules),
			caps: { perHour: rules.maxCallsPerHour, perDay: rules.maxCallsPerDay },
			dryRun: rules.dryRun ?? false,
		};
	}
}

/** Neither an expression without a value nor a misspelled name may turn a rule off. */
function refuseLostRules(parameters: Parameters): void {
	const added = everythingIn(parameters, 'rules', LABEL);
	refuseUnknown(added, LABEL, ruleFields);
	for (const [name, value] of Object.entries(added)) {
		const label = LABELS.get(name) ?? name;
		// A list from a table may be empty.
		const isList = name === 'doNotCall' && value !== null && value !== undefined;
		if (isBlank(value) && !isList) {
			throw new InvalidParameter(label, 'is empty; fill it in, or remove it from Calling Rules');
		}
		const needed = NEEDS[name] ?? [];
		if (needed.length === 0 || needed.some((other) => Object.hasOwn(added, other))) continue;
		const others = needed.map((other) => LABELS.get(other)).join(' or ');
		throw new InvalidParameter(
			label,
			`does nothing without ${others}; add it, or remove this rule`,
		);
	}
}

/** Numbers read with a default country that nobody chose may be a stranger's. */
function refuseEmptyCountry(parameters: Parameters): void {
	refuseUnreadableOptions(parameters);
	const options = everythingIn(parameters, 'options', 'Options');
	if (!Object.hasOwn(options, 'defaultCountry') || !isBlank(options.defaultCountry)) return;
	throw new InvalidParameter('Default Country', 'is empty; choose one, or remove it from Options');
}

function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return typeof value === 'string' ? /^[\s,]*$/.test(value) : value === null || value === undefined;
}

function readTestNumber(text: string | undefined, defaultCountry: string): string | undefined {
	if (text === undefined) return undefined;
	return readPhoneNumber({ text, defaultCountry, asIs: false, label: 'Test Number' });
}

function readHours(rules: Values): CallingHours | undefined {
	const { hoursFrom, hoursTo, hoursDays, hoursZone: zone, outsideHours: outside } = rules;
	if (hoursFrom === undefined && hoursTo === undefined && hoursDays.length === 0) return undefined;
	const [from, to] = [hoursFrom ?? 0, hoursTo ?? DAY_MINUTES];
	if (from === to) {
		throw new InvalidParameter('Calling Hours To', 'must differ from Calling Hours From');
	}
	const days = new Set(hoursDays.length > 0 ? hoursDays : EVERY_DAY);
	return { from, to, days, zone, outside };
}
