import { isJsonObject } from '../service/http/json';

/** The expressions anywhere in a parameter as the workflow stores it. */
export function expressionsIn(stored: unknown): string[] {
	if (typeof stored === 'string') return stored.startsWith('=') ? [stored] : [];
	if (Array.isArray(stored)) return stored.flatMap(expressionsIn);
	return isJsonObject(stored) ? Object.values(stored).flatMap(expressionsIn) : [];
}
