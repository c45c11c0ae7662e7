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
