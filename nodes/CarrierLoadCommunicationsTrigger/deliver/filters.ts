import type { CallEvent } from '../parse/callEvent';
import { isScalar, ownField } from '../parse/fields';

/** One condition on an event's metadata. */
export interface MetadataCondition {
	key: string;
	/** Undefined: the key has to be there, whatever its value. */
	equals?: string | undefined;
}

export interface EventFilters {
	/** Kinds of event, in lower case; undefined for all. */
	kinds?: readonly string[] | undefined;
	/** All of them have to hold. */
	metadata: readonly MetadataCondition[];
	/** Load number or load id, in the event or in its metadata; empty for any. */
	loadNumber: string;
}

/** Whether the workflow wants to hear of an event. */
export function isWanted(event: CallEvent, filters: EventFilters): boolean {
	const { kinds, metadata, loadNumber } = filters;
	if (kinds !== undefined && !kinds.includes(kindOf(event))) return false;
	if (loadNumber !== '' && !isAboutLoad(event, loadNumber)) return false;
	return metadata.every((condition) => holds(event, condition));
}

/** An event's kind as kinds are compared; empty when it says none. */
export function kindOf({ event }: CallEvent): string {
	return event?.trim().toLowerCase() ?? '';
}

/** Kinds as the user typed them, separated by commas, each once. */
export function readKinds(text: string): string[] {
	const kinds = text.split(',').map((kind) => kind.trim().toLowerCase());
	return [...new Set(kinds.filter((kind) => kind !== ''))];
}

function holds({ metadata }: CallEvent, { key, equals }: MetadataCondition): boolean {
	if (!Object.hasOwn(metadata, key)) return false;
	if (equals === undefined) return true;
	const value = ownField(metadata, key);
	return typeof value === 'boolean' || isScalar(value)
		? String(value).trim() === equals.trim()
		: equals.trim() === '' && (value === '' || value === null);
}

function isAboutLoad({ loadId, loadNumber, metadata }: CallEvent, wanted: string): boolean {
	const told = ['loadNumber', 'load_number', 'loadId', 'load_id'].map((name) =>
		ownField(metadata, name),
	);
	return [loadId, loadNumber, ...told]
		.filter(isScalar)
		.some((number) => String(number).trim() === wanted.trim());
}
