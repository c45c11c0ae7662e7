import { isJsonObject } from '../../../../shared/service/http/json';
import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../../shared/fields/parameters';
import type { ValuesOf } from '../../../../shared/fields/field';
import { phoneOptions } from '../../fields/phone';
import { readPhoneNumber } from '../../plan/phoneNumber';
import type { CallingHours } from '../callingHours';
import type { CallingRules } from '../callingRules';
import { DoNotCallReader } from '../doNotCall';
import { ruleFields, rulesForm } from './rulesFields';

type Values = ValuesOf<typeof ruleFields>;

const ALWAYS_ALLOWED = ['US', 'CA', 'MX'];
const DAY_MINUTES = 24 * 60;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** Reads the calling rules of a run's items. */
export class RulesReader {
	private readonly doNotCall = new DoNotCallReader();

	/**
	 * The rules of one item.
	 *
	 * @throws InvalidParameter for a rule that was added and can't be kept: a rule that silently does
	 * nothing would be worse than none
	 */
	read(parameters: Parameters): CallingRules {
		refuseEmptyRules(parameters);
		const { rules } = rulesForm.read(parameters);
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
			hours: readHours(rules, parameters),
			caps: { perHour: rules.maxCallsPerHour, perDay: rules.maxCallsPerDay },
			dryRun: rules.dryRun ?? false,
			maxCalls: rules.maxCalls,
		};
	}
}

/** An expression that gives nothing must not turn a rule off. */
function refuseEmptyRules(parameters: Parameters): void {
	const added = parameters.raw('rules');
	if (!isJsonObject(added)) return;
	for (const [name, field] of Object.entries(ruleFields)) {
		if (!Object.hasOwn(added, name)) continue;
		const value: unknown = added[name];
		// A list from a table may well be empty.
		if (!isBlank(value) || (name === 'doNotCall' && value !== null && value !== undefined))
			continue;
		const label = field.properties(name)[0]?.displayName ?? name;
		throw new InvalidParameter(label, 'is empty; fill it in, or remove it from Calling Rules');
	}
}

function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return typeof value === 'string' ? /^[\s,]*$/.test(value) : value === null || value === undefined;
}

function readTestNumber(text: string | undefined, defaultCountry: string): string | undefined {
	if (text === undefined) return undefined;
	return readPhoneNumber({ text, defaultCountry, asIs: false, label: 'Test Number' });
}

function readHours(rules: Values, parameters: Parameters): CallingHours | undefined {
	const { hoursFrom, hoursTo, hoursDays, hoursZone: zone, outsideHours: outside } = rules;
	if (hoursFrom === undefined && hoursTo === undefined && hoursDays.length === 0) {
		for (const name of ['hoursZone', 'outsideHours'] as const) {
			if (parameters.raw(`rules.${name}`) === undefined) continue;
			const label = ruleFields[name].properties(name)[0]?.displayName ?? name;
			throw new InvalidParameter(label, 'does nothing without Calling Hours From or To; add them');
		}
		return undefined;
	}
	const [from, to] = [hoursFrom ?? 0, hoursTo ?? DAY_MINUTES];
	if (from === to) {
		throw new InvalidParameter('Calling Hours To', 'must differ from Calling Hours From');
	}
	const days = new Set(hoursDays.length > 0 ? hoursDays : EVERY_DAY);
	return { from, to, days, zone, outside };
}
