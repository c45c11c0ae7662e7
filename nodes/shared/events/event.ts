import { isJsonObject, type JsonObject } from '../service/json';

/** The contract (6) does not show where. `detail` is in Amazon EventBridge's envelope. */
const REPORT_PLACES = ['data', 'call', 'payload', 'event', 'events', 'message', 'detail'];
/** Where a service echoes the request that placed the call, with its metadata. */
const REQUEST_PLACES = ['input', 'inputData', 'request'];
const MAX_DEPTH = 4;

/**
 * The objects that may contain what identifies an event's call, outermost first: the event itself and
 * everything nested in the usual places, up to four levels deep. A list counts only if it holds one
 * object, because several objects are several events. Empty if the event is not an object.
 */
export function eventParts(event: unknown): JsonObject[] {
	return partsIn(event, [...REPORT_PLACES, ...REQUEST_PLACES]);
}

/** The parts that report on the call: `eventParts` without the echoed request. */
export function reportParts(event: unknown): JsonObject[] {
	return partsIn(event, REPORT_PLACES);
}

function partsIn(event: unknown, places: readonly string[]): JsonObject[] {
	const parts: JsonObject[] = [];
	let level = [soleObject(event)].filter(isJsonObject);
	for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
		parts.push(...level);
		level = fieldsOf(level, places).map(soleObject).filter(isJsonObject);
	}
	return parts;
}

function soleObject(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** An object's own field. Ignores inherited ones: an event may contain a key such as "constructor". */
export function ownField(holder: unknown, name: string): unknown {
	return isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Text that isn't blank, or a finite number. */
export function isScalar(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isFinite(value);
	return typeof value === 'string' && value.trim() !== '';
}

/** The first text or number under any of the names, part by part. */
export function firstScalar(parts: readonly unknown[], names: readonly string[]) {
	return fieldsOf(parts, names).find(isScalar);
}

/** All values under any of the names, part by part. */
export function fieldsOf(parts: readonly unknown[], names: readonly string[]): unknown[] {
	return parts.flatMap((part) => names.map((name) => ownField(part, name)));
}
