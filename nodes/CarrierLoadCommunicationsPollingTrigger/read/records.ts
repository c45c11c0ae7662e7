import { createHash } from 'crypto';

import type { ListName } from '../../shared/columns/records';
import { idOf, type JsonObject } from '../../shared/service/http/json';
import type { PollEvent } from '../events';

/** Rows with the same key: one record with an ID, or several without. */
export interface Group {
	key: string;
	hasId: boolean;
	rows: JsonObject[];
}

/**
 * What identifies a record without an ID, together with how often it is listed. Bids have none (contract
 * 2.5), and only load and time stay the same when one is corrected. One call can bring several bids on a
 * load.
 */
const KEY_FIELDS: Record<ListName, readonly string[]> = {
	bids: ['loadId', 'callDateTime'],
	calls: ['createdAt', 'fromPhone', 'toPhone'],
	conversations: ['createdAt', 'fromPhone', 'emailFrom', 'emailSubject'],
};

/** Groups rows by what identifies them, each ID once. */
export function groupRows({ list }: PollEvent, rows: JsonObject[]): Group[] {
	const groups = new Map<string, Group>();
	for (const row of rows) {
		const id = idOf(row);
		const key = id?.toString() ?? hashOf(KEY_FIELDS[list].map((name) => row[name] ?? null));
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { key, hasId: id !== undefined, rows: [row] });
		else if (id === undefined) group.rows.push(row);
	}
	return [...groups.values()];
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
