import { isScalar } from '../events/event';
import type { JsonObject } from './json';

/** The largest offset of a time zone from UTC. */
const MAX_ZONE_MS = 14 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Longer text from a service is no time, and cut before it is matched. */
const MAX_TIME_LENGTH = 64;

/** Smaller Unix times are in seconds: as milliseconds they would be in 1973. */
const MILLISECONDS_FROM = 1e11;

/** As seconds, in 2001. Smaller numbers are no Unix times: 20260308 is a date. */
const SECONDS_FROM = 1e9;

/** ISO 8601: a day, or a day and a time, perhaps with its zone: "2026-03-02 14:30:00.250+00". */
const ISO_8601 =
	/^\d{4}-\d\d-\d\d(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i;

export interface RecordTime {
	/** Unix milliseconds; read as UTC if the service names no zone. */
	ms: number;
	/** How far off that may be: a zone's largest offset from UTC, and for a day its length. */
	toleranceMs: number;
}

/** When a record was created (a bid: when its call was, contract 2.5); undefined if it doesn't say. */
export function timeOf({ createdAt, callDateTime }: JsonObject): RecordTime | undefined {
	return readTime(createdAt) ?? readTime(callDateTime);
}

/** Reads a record's time: ISO 8601 (contract 2) or Unix time. Undefined if it is none. */
export function readTime(value: unknown): RecordTime | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).slice(0, MAX_TIME_LENGTH).trim();
	if (/^\d{1,20}(?:\.\d{1,9})?$/.test(text)) {
		const time = Number(text);
		if (time < SECONDS_FROM) return undefined;
		return { ms: time < MILLISECONDS_FROM ? time * 1000 : time, toleranceMs: 0 };
	}
	const [written, time, zone] = ISO_8601.exec(text) ?? [];
	if (written === undefined) return undefined;
	const ms = Date.parse(zone === undefined ? `${text}Z` : text.replace(/[+-]\d\d$/, '$&:00'));
	// Year 1 is how .NET writes that there is no time.
	if (!(ms > 0)) return undefined;
	if (zone !== undefined) return { ms, toleranceMs: 0 };
	return { ms, toleranceMs: MAX_ZONE_MS + (time === undefined ? DAY_MS : 0) };
}

/** Longer text from a service is no load ID; compared as it is. */
const MAX_LOAD_LENGTH = 200;

/** Loads in one field, and characters of its text. */
const MAX_LOADS = 100;
const MAX_LIST_LENGTH = 10_000;

/** Two spellings of a load are the same if their keys are: "Load #48213 " and "48213". */
export function loadKey(load: string): string {
	if (load.length > MAX_LOAD_LENGTH) return load;
	const words = load.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
	const key = words
		.replace(/^load(?![a-z0-9])(?: ?(?:id|number|no|nr)(?![a-z0-9]))?/, '')
		.replace(/^[\s.:#-]+/, '');
	// LD-48213, LD 48213 and LD48213; 48213.0 is how a spreadsheet exports a number.
	const joined = key
		.replace(/^([a-z]{1,10})[\s.-]{1,3}(?=\d)/, '$1')
		.replace(/^(\d{1,30})\.0$/, '$1');
	const number = /^\d+$/.test(joined) ? joined.replace(/^0+(?!$)/, '') : joined;
	return number === '' ? words : number;
}

/** The keys of the loads that a field of a record names: one load, a list, or text with several. */
export function loadsIn(field: unknown): string[] {
	const texts = [field].flat().slice(0, MAX_LOADS).filter(isScalar).map(String);
	const keys = texts
		.flatMap((text) => [text, ...text.slice(0, MAX_LIST_LENGTH).split(/[,;|\n]/, MAX_LOADS)])
		.slice(0, 2 * MAX_LOADS)
		.map(loadKey);
	return [...new Set(keys.filter((key) => key !== ''))];
}
