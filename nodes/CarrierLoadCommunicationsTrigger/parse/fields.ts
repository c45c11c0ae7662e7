import type { IDataObject } from 'n8n-workflow';

/** A JSON object; neither null nor an array. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A field of an object, or undefined. Only the object's own fields count: an event may bring a key
 * called "constructor" or "__proto__", and may lack one.
 */
export function ownField(holder: unknown, name: string): unknown {
	return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** The value at a place such as `data.event.id` or `events.0.id`; undefined when there is none. */
export function valueAt(value: unknown, place: string): unknown {
	let found = value;
	for (const step of place.split('.').map((part) => part.trim())) {
		found =
			Array.isArray(found) && /^\d+$/.test(step) ? found[Number(step)] : ownField(found, step);
	}
	return found;
}

/** Text that says something, or a number. */
export function isScalar(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isFinite(value);
	return typeof value === 'string' && value.trim() !== '';
}

/** The first of several names under which a holder has text or a number. */
export function firstScalar(
	holder: unknown,
	names: readonly string[],
): string | number | undefined {
	return names.map((name) => ownField(holder, name)).find(isScalar);
}
