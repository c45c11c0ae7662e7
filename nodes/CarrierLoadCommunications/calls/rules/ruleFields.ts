import { collection } from '../../../shared/fields/collection';
import { convert, ifAdded, propertiesOf, readAs, unchecked } from '../../../shared/fields/field';
import { choices, number, text, wholeNumber } from '../../../shared/fields/simpleFields';
import { countryCodes } from '../phone';
import { COUNTRIES } from '../phoneFields';
import { DAYTIME, errorOrSkip, fixed, hours, rangeFields } from './hours';

const ALLOWED_COUNTRIES = 'Allowed Countries';

/** At most so many calls; no limit unless the rule is added. */
const most = (label: string, max: number, prefill: number, about: string) =>
	wholeNumber({ label, min: 1, max, prefill, about, ...fixed });

/** In the order of use: when and whom to call, how often, and how many. */
export const ruleFields = {
	hours: ifAdded(hours),
	doNotCall: readAs(
		text({
			label: 'Do Not Call',
			example: '(312) 555-0188, +52 55 1234 5678',
			about:
				"Numbers never to call, separated by commas or lines. An expression can give a table's rows: {{ $('Do-not-call list').all() }}",
			editor: { typeOptions: { rows: 3 } },
		}),
		unchecked,
	),
	onDoNotCall: errorOrSkip({
		label: 'Do Not Call: If Listed',
		default: 'skip',
		about:
			'What to do with an item whose number is on the list. A skipped item has the Call Result doNotCall.',
	}),
	allowedCountries: convert(
		choices({
			label: ALLOWED_COUNTRIES,
			choices: COUNTRIES,
			about:
				'Countries that may be called; without this rule, the US, Canada, Mexico and the default country. An expression can give other ISO codes, e.g. JM.',
			editor: { default: ['US', 'CA', 'MX'] },
		}),
		countryCodes(ALLOWED_COUNTRIES),
	),
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

export const SAFETY = 'Safety';

export const callingRules = collection(SAFETY, 'Add Rule', ruleFields, {
	// Nobody is called at night, or twice, unless someone removed a rule that they saw.
	filled: { hours: DAYTIME, skipIfCalledWithin: 10 },
	inOrder: true,
	propertyHint:
		'Always set hours (range: from, to), doNotCall, maxCallsPerHour, maxCallsPerDay and maxCallsPerNumber. Never fill in a rule with fromAi.',
});

export const RULE_LABELS = new Map(
	propertiesOf({ ...ruleFields, ...rangeFields }).map((field) => [field.name, field.displayName]),
);
