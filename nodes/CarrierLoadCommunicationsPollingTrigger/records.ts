import { createHash } from 'crypto';

import { idOf, type JsonObject } from '../shared/service/http/json';
import type { PollEvent } from './events';

/** The largest offset of a time zone from UTC, in milliseconds. */
export const MAX_ZONE_MS = 14 * 60 * 60 * 1000;

/** A record's timestamp. */
export interface RecordTime {
	/** In milliseconds, read as UTC if the text names no time zone. */
	ms: number;
	/** The possible error: without a time zone, any zone's offset from UTC. */
	toleranceMs: number;
}

/** Rows with the same key: one record with an ID, or several without. */
export interface Group {
	key: string;
	hasId: boolean;
	rows: JsonObject[];
}

/** Groups rows by what identifies them, each ID once. */
export function groupRows({ list }: PollEvent, rows: JsonObject[]): Group[] {
	const groups = new Map<string, Group>();
	for (const row of rows) {
		const id = idOf(row);
		const key = id?.toString() ?? hashOf(list.keyFields.map((name) => row[name] ?? null));
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { key, hasId: id !== undefined, rows: [row] });
		else if (id === undefined) group.rows.push(row);
	}
	return [...groups.values()];
}

/** When a record was created; undefined if it doesn't say. */
export function timeOf({ list }: PollEvent, row: JsonObject): RecordTime | undefined {
	const value = row[list.timeField];
	if (typeof value !== 'string' || value === '') return undefined;
	const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(value) && /\d[T ]\d/.test(value);
	const hasClock = value.includes(':');
	const ms = Date.parse(hasZone || !hasClock ? value : `${value.replace(' ', 'T')}Z`);
	if (!Number.isFinite(ms)) return undefined;
	return { ms, toleranceMs: hasZone ? 0 : MAX_ZONE_MS + (hasClock ? 0 : 24 * 60 * 60 * 1000) };
}

/** A time in milliseconds as ISO 8601, in UTC. */
export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}

/** A short text that changes with the content. */
export function contentOf(row: JsonObject): string {
	return hashOf(row).slice(0, 8);
}

function hashOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
