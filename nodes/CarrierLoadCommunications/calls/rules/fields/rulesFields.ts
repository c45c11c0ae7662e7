import { IANAZone } from 'luxon';

import { choice, choices, flag } from '../../../../shared/fields/choice';
import { collection, fields, type Field } from '../../../../shared/fields/field';
import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import { wholeNumber } from '../../../../shared/fields/number';
import type { Parameters } from '../../../../shared/fields/parameters';
import { simpleField } from '../../../../shared/fields/simpleField';
import { text } from '../../../../shared/fields/text';
import { COUNTRIES } from '../../fields/countries';
import { isSupportedCountry } from '../../plan/phoneLibrary';
import { NO_COUNTRY, NO_COUNTRY_NAME } from '../countries';
import { DAYS, readTime } from './hoursText';

/** For rules that need no expression: the editor then offers no value from an AI agent's model. */
const fixed = { editor: { noDataExpression: true } };

const hoursZone: Field<string> = {
	...choice({
		label: 'Calling Hours Zone',
		choices: [
			{ name: 'Zone of the Phone Number', value: 'phone' },
			{ name: 'Zone of the Workflow', value: 'workflow' },
			{ name: 'Alaska', value: 'America/Anchorage' },
			{ name: 'Arizona', value: 'America/Phoenix' },
			{ name: 'Atlantic', value: 'America/Halifax' },
			{ name: 'Central', value: 'America/Chicago' },
			{ name: 'Eastern', value: 'America/New_York' },
			{ name: 'Hawaii', value: 'Pacific/Honolulu' },
			{ name: 'Mexico (Central)', value: 'America/Mexico_City' },
			{ name: 'Mountain', value: 'America/Denver' },
			{ name: 'Newfoundland', value: 'America/St_Johns' },
			{ name: 'Pacific', value: 'America/Los_Angeles' },
		],
		default: 'phone',
		about:
			"Clock the calling hours go by. An expression can give the IANA time zone of the load's next stop, e.g. America/Chicago.",
	}),
	read(parameters, name) {
		const label = 'Calling Hours Zone';
		const zone = text({ label, default: 'phone' }).read(parameters, name);
		if (zone === 'workflow') return parameters.timezone;
		if (zone === 'phone' || IANAZone.isValidZone(zone)) return zone;
		throw new InvalidParameter(label, 'must be a time zone such as America/Chicago', zone);
	},
};

const hoursDays: Field<number[]> = {
	...choices({
		label: 'Calling Days',
		choices: DAYS.map((day) => ({ name: day, value: day.toLowerCase() })),
		about: 'Days of the week on which calls may be placed',
		editor: { default: DAYS.map((day) => day.toLowerCase()), noDataExpression: true },
	}),
	read(parameters, name) {
		const chosen = choices({ label: 'Calling Days', choices: [] }).read(parameters, name);
		return chosen.map((day) => {
			const index = DAYS.findIndex((each) => each.toLowerCase() === day.toLowerCase());
			if (index >= 0) return index + 1;
			throw new InvalidParameter('Calling Days', `must be days such as ${DAYS[0]}`, day);
		});
	},
};

const allowedCountries: Field<string[]> = {
	...choices({
		label: 'Allowed Countries',
		choices: [...COUNTRIES, { name: NO_COUNTRY_NAME, value: NO_COUNTRY }],
		about:
			'Countries that may be called. Without this rule: United States, Canada, Mexico and the default country. An expression can give other ISO codes, e.g. JM.',
		editor: { default: ['US', 'CA', 'MX'] },
	}),
	read(parameters, name) {
		const label = 'Allowed Countries';
		const codes = choices({ label, choices: [] }).read(parameters, name);
		return codes.map((code) => {
			const country = code.toUpperCase();
			if (country === NO_COUNTRY || isSupportedCountry(country)) return country;
			throw new InvalidParameter(label, 'must be ISO country codes such as US', code);
		});
	},
};

const doNotCall: Field<unknown> = {
	...simpleField(
		'string',
		{
			label: 'Do Not Call',
			example: '(312) 555-0188, +52 55 1234 5678',
			about:
				'Numbers never to call, in any common format, separated by commas or lines. An expression can give a list, e.g. from a table.',
		},
		() => undefined,
		{ typeOptions: { rows: 3 } },
	),
	read: (parameters: Parameters, name: string) => parameters.raw(name),
};

const time = (
	label: string,
	example: string,
	about: string,
	latest: number,
): Field<number | undefined> => {
	const field = text({ label, prefill: example, example, about });
	return {
		...field,
		read(parameters, name) {
			const value = field.read(parameters, name);
			return value === undefined ? undefined : readTime(label, value, latest);
		},
	};
};

/** The rules by the names that workflows store. */
export const ruleFields = {
	allowedCountries,
	hoursDays,
	hoursFrom: time(
		'Calling Hours From',
		'08:00',
		'First minute at which calls may be placed. May be later than Calling Hours To, to span midnight.',
		24 * 60 - 1,
	),
	hoursTo: time(
		'Calling Hours To',
		'20:00',
		'Minute from which calls may no longer be placed',
		24 * 60,
	),
	hoursZone,
	doNotCall,
	onDoNotCall: choice({
		label: 'Do Not Call: If Listed',
		choices: [
			{ name: 'Fail the Item', value: 'error' },
			{ name: 'Skip the Call', value: 'skip' },
		],
		default: 'skip',
		about:
			'What to do with an item whose number is on the list. A skipped item has placement doNotCall.',
		...fixed,
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
		about: 'Most calls this node may place in any 24 hours, in all executions together',
		...fixed,
	}),
	maxCallsPerHour: wholeNumber({
		label: 'Max Calls per Hour',
		min: 1,
		max: 2_000,
		prefill: 100,
		about: 'Most calls this node may place in any 60 minutes, in all executions together',
		...fixed,
	}),
	maxCalls: wholeNumber({
		label: 'Max Calls per Run',
		min: 1,
		default: 200,
		about: 'Most items of one run of this node. With more, no call is placed at all.',
		...fixed,
	}),
	outsideHours: choice({
		label: 'Outside Calling Hours',
		choices: [
			{ name: 'Fail the Item', value: 'error' },
			{ name: 'Skip the Call', value: 'skip' },
		],
		default: 'error',
		about:
			'What to do with an item outside the calling hours. A skipped item has placement outsideHours and nextAllowedAt, for a Wait node.',
		...fixed,
	}),
	testNumber: text({
		label: 'Test Number',
		example: '(312) 555-0199',
		about: "Number to call instead of every item's own, for example yours",
	}),
};

/** The collection Calling Rules of the three operations that place calls. */
export const rulesForm = fields({ rules: collection('Calling Rules', 'Add Rule', ruleFields) });
