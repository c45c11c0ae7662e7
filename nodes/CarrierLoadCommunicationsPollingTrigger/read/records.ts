import { createHash } from 'crypto';

import { idOf, type JsonObject } from '../../shared/service/http/json';
import { readTime, type RecordTime } from '../../shared/service/recordTime';
import type { PollEvent } from '../events';

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
	return readTime(row[list.timeField]);
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
