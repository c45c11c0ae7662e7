import { hash } from 'crypto';

import { isJsonObject } from '../../../shared/service/http/json';

/** A short hash of plain values. The order of an object's keys doesn't count. */
export function digest(value: unknown): string {
	return hash('sha256', JSON.stringify(value, sorted)).slice(0, 32);
}

function sorted(_key: string, value: unknown): unknown {
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
