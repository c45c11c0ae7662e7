import { IANAZone } from 'luxon';

import { choice, choices } from '../../../../shared/fields/choice';
import { convert, type Field } from '../../../../shared/fields/field';
import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import { text } from '../../../../shared/fields/text';
import { DAYS, readTime } from './hoursText';

/** For rules that need no expression: the editor then offers no value from an AI agent's model. */
export const fixed = { editor: { noDataExpression: true } };

/** What to do with an item that a rule refuses. */
export function errorOrSkip(options: { label: string; default: 'error' | 'skip'; about: string }) {
	return choice({
		...options,
		...fixed,
		choices: [
			{ name: 'Fail the Item', value: 'error' },
			{ name: 'Skip the Call', value: 'skip' },
		],
	});
}

const ZONE_LABEL = 'Calling Hours Zone';
const zoneText = text({ label: ZONE_LABEL, default: 'phone' });

const hoursZone: Field<string> = {
	...choice({
		label: ZONE_LABEL,
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
			"Time zone of the calling hours. An expression can give the IANA time zone of the load's next stop, e.g. America/Chicago.",
	}),
	read(parameters, name) {
		const zone = zoneText.read(parameters, name);
		if (zone === 'phone') return zone;
		const iana = zone === 'workflow' ? parameters.timezone : zone;
		// "EST" is a zone without daylight saving time, which nobody means.
		const isPlace = iana.includes('/') || iana === 'UTC';
		// Luxon keeps the zones that it creates; `isValidZone` takes 0.06 ms for each item.
		if (isPlace && IANAZone.create(iana).isValid) return iana;
		throw new InvalidParameter(ZONE_LABEL, 'must be a time zone such as America/Chicago', iana);
	},
};

const hoursDays = convert(
	choices({
		label: 'Calling Days',
		choices: DAYS.map((day) => ({ name: day, value: day.toLowerCase() })),
		about: 'Days of the week on which calls may be placed',
		editor: { default: DAYS.map((day) => day.toLowerCase()), noDataExpression: true },
	}),
	(chosen) =>
		chosen.map((day) => {
			const index = DAYS.findIndex((each) => each.toLowerCase() === day.toLowerCase());
			if (index >= 0) return index + 1;
			throw new InvalidParameter('Calling Days', `must be days such as ${DAYS[0]}`, day);
		}),
);

const time = (label: string, example: string, about: string, latest: number) =>
	convert(text({ label, prefill: example, example, about }), (written) =>
		written === undefined ? undefined : readTime(label, written, latest),
	);

export const hoursFields = {
	hoursDays,
	hoursFrom: time(
		'Calling Hours From',
		'08:00',
		'Earliest time of day to place calls. Can be later than Calling Hours To, for hours that span midnight.',
		24 * 60 - 1,
	),
	hoursTo: time(
		'Calling Hours To',
		'20:00',
		'Time of day from which no more calls are placed',
		24 * 60,
	),
	hoursZone,
	outsideHours: errorOrSkip({
		label: 'Outside Calling Hours',
		default: 'error',
		about:
			'What to do with an item outside the calling hours. A skipped item has placement outsideHours and nextAllowedAt, for a Wait node.',
	}),
};
