import { createHash } from 'crypto';

import type { JsonObject } from '../shared/service/http/json';
import type { PollEvent } from './events';

/** The largest distance of a time zone from UTC, in milliseconds. */
export const MAX_ZONE_MS = 14 * 60 * 60 * 1000;

/** A record's own time. */
export interface RecordTime {
	/** Milliseconds, read as UTC when the text names no time zone. */
	ms: number;
	/** By how much it may be off: without a time zone, by any zone's distance from UTC. */
	toleranceMs: number;
}

/** Rows that share a key: one record with an ID, or several without one. */
export interface Group {
	key: string;
	hasId: boolean;
	rows: JsonObject[];
}

/** The rows by what identifies them, each ID once. */
export function groupRows({ list }: PollEvent, rows: JsonObject[]): Group[] {
	const groups = new Map<string, Group>();
	for (const row of rows) {
		const id = idOf(row);
		const key = id ?? hashOf(list.keyFields.map((name) => row[name] ?? null));
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { key, hasId: id !== undefined, rows: [row] });
		else if (id === undefined) group.rows.push(row);
	}
	return [...groups.values()];
}

/** When a record was made; undefined when it does not say. */
export function timeOf({ list }: PollEvent, row: JsonObject): RecordTime | undefined {
	const value = row[list.timeField];
	if (typeof value !== 'string' || value === '') return undefined;
	const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(value) && /\d[T ]\d/.test(value);
	const hasClock = value.includes(':');
	const ms = Date.parse(hasZone || !hasClock ? value : `${value.replace(' ', 'T')}Z`);
	if (!Number.isFinite(ms)) return undefined;
	return { ms, toleranceMs: hasZone ? 0 : MAX_ZONE_MS + (hasClock ? 0 : 24 * 60 * 60 * 1000) };
}

/** A short text that differs when the content differs. */
export function contentOf(row: JsonObject): string {
	return hashOf(row).slice(0, 8);
}

function idOf({ id }: JsonObject): string | undefined {
	const isId = typeof id === 'number' || (typeof id === 'string' && id !== '');
	return isId ? String(id) : undefined;
}

function hashOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
