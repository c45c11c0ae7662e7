import type { JsonObject } from './http/json';

/** The largest offset of a time zone from UTC, in milliseconds. */
export const MAX_ZONE_MS = 14 * 60 * 60 * 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Smaller Unix times are in seconds: as milliseconds they would be in 1973. */
const MILLISECONDS_FROM = 1e11;

/** As seconds, in 2001. Smaller numbers are no Unix times: 20260308 is a date. */
const SECONDS_FROM = 1e9;

/** A time with hours and minutes that ends with its zone: "14:30:00.250Z", "2:30 PM GMT", "14:30:00+00". */
const WITH_ZONE = /:\d\d([.,]\d+)?\s*([ap]m)?\s*(z|gmt|utc|[+-]\d\d(:?\d\d)?)$/i;

/** A time as the service says it. */
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

/**
 * Reads a record's time: ISO 8601 (contract 2), or any other way in which services write one.
 * Undefined if it is none.
 */
export function readTime(value: unknown): RecordTime | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return unixTime(Number(text));
	const hasZone = WITH_ZONE.test(text);
	const ms = Date.parse(hasZone ? text.replace(/[+-]\d\d$/, '$&:00') : `${text}Z`);
	// Year 1 is how .NET writes that there is no time.
	if (!(ms > 0)) return undefined;
	const isDay = !text.includes(':');
	return { ms, toleranceMs: hasZone ? 0 : MAX_ZONE_MS + (isDay ? DAY_MS : 0) };
}

function unixTime(time: number): RecordTime | undefined {
	if (time < SECONDS_FROM) return undefined;
	return { ms: time < MILLISECONDS_FROM ? time * 1000 : time, toleranceMs: 0 };
}
