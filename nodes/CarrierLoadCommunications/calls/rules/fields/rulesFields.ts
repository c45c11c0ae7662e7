import { choices, flag } from '../../../../shared/fields/choice';
import { collection } from '../../../../shared/fields/collection';
import { convert, type Field } from '../../../../shared/fields/field';
import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import { wholeNumber } from '../../../../shared/fields/number';
import { text } from '../../../../shared/fields/text';
import { COUNTRIES } from '../../fields/countries';
import { isSupportedCountry } from '../../plan/phoneLibrary';
import { NO_COUNTRY, NO_COUNTRY_NAME } from '../countries';
import { errorOrSkip, fixed, hoursFields } from './hoursFields';

const allowedCountries = convert(
	choices({
		label: 'Allowed Countries',
		choices: [...COUNTRIES, { name: NO_COUNTRY_NAME, value: NO_COUNTRY }],
		about:
			'Countries that may be called. Without this rule: United States, Canada, Mexico and the default country. An expression can give other ISO codes, e.g. JM.',
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
			'Numbers never to call, in any common format, separated by commas or lines. An expression can give a list, e.g. from a table.',
		editor: { typeOptions: { rows: 3 } },
	}),
	read: (parameters, name) => parameters.raw(name),
};

export const ruleFields = {
	allowedCountries,
	...hoursFields,
	doNotCall,
	onDoNotCall: errorOrSkip({
		label: 'Do Not Call: If Listed',
		default: 'skip',
		about:
			'What to do with an item whose number is on the list. A skipped item has placement doNotCall.',
	}),
	dryRun: flag({
		label: 'Dry Run',
		prefill: true,
		about: 'Whether to check everything and return what would be sent, without placing any call',
	}),
	maxCallsPerDay: wholeNumber({
		label: 'Max Calls per Day',
		min: 1,
		max: 10_000,
		prefill: 1000,
		about: 'Maximum number of calls this node places in any 24 hours, across all executions',
		...fixed,
	}),
	maxCallsPerHour: wholeNumber({
		label: 'Max Calls per Hour',
		min: 1,
		max: 2_000,
		prefill: 100,
		about: 'Maximum number of calls this node places in any 60 minutes, across all executions',
		...fixed,
	}),
	maxCalls: wholeNumber({
		label: 'Max Calls per Run',
		min: 1,
		default: 200,
		about:
			'Maximum number of items in one run of this node. If there are more, no call is placed at all.',
		...fixed,
	}),
	testNumber: text({
		label: 'Test Number',
		example: '(312) 555-0199',
		about: "Number to call instead of every item's own, for example yours",
	}),
};

export const callingRules = collection('Calling Rules', 'Add Rule', ruleFields);
