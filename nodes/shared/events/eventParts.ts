import { isJsonObject, type JsonObject } from '../service/http/json';

/** Where the report of a call may be nested; the contract (6) does not show the payload's shape. */
const REPORT_PLACES = ['data', 'call', 'payload', 'event', 'events', 'message'];

/** Where a service repeats the request that placed the call, with its metadata. */
const REQUEST_PLACES = ['input', 'inputData', 'request'];

const MAX_DEPTH = 4;

/**
 * The objects in which a field of an event may be, outermost first: the event itself and whatever
 * is nested in the usual places, up to four levels deep. A list counts if it holds one object only,
 * because several objects are several events. Empty when the event is no object.
 *
 * Look here for what identifies the call: metadata, call ID, load, phone numbers.
 */
export function eventParts(event: unknown): JsonObject[] {
	return partsIn(event, [...REPORT_PLACES, ...REQUEST_PLACES]);
}

/** The parts that report on the call: those of `eventParts` outside the repeated request. */
export function reportParts(event: unknown): JsonObject[] {
	return partsIn(event, REPORT_PLACES);
}

function partsIn(event: unknown, places: readonly string[]): JsonObject[] {
	const parts: JsonObject[] = [];
	let level = [soleObject(event)].filter(isJsonObject);
	for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
		parts.push(...level);
		level = level.flatMap((part) =>
			places.map((place) => soleObject(ownField(part, place))).filter(isJsonObject),
		);
	}
	return parts;
}

function soleObject(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * A field of an object, or undefined. Only the object's own fields count: an event may contain a key
 * called "constructor" or "__proto__".
 */
export function ownField(holder: unknown, name: string): unknown {
	return isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Text that isn't blank, or a finite number. */
export function isScalar(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isFinite(value);
	return typeof value === 'string' && value.trim() !== '';
}

/** The first text or number under any of the names, part by part. */
export function firstScalar(
	parts: readonly unknown[],
	names: readonly string[],
): string | number | undefined {
	return fieldsOf(parts, names).find(isScalar);
}

/** All values under any of the names, part by part. */
export function fieldsOf(parts: readonly unknown[], names: readonly string[]): unknown[] {
	return parts.flatMap((part) => names.map((name) => ownField(part, name)));
}
