import { callStage } from '../../shared/events/callStage';
import { eventParts, fieldsOf, isScalar, ownField } from '../../shared/events/eventParts';
import { loadKey, loadsIn } from '../../shared/service/loads';
import type { MetadataCondition } from '../fields/filterFields';
import type { TriggerSettings } from '../fields/form';
import { LOAD_LISTS, type CallEvent } from '../parse/callEvent';
import type { ReceivedEvent } from '../parse/readEvents';

const LOAD_FIELDS = ['loadNumber', 'load_number', 'loadId', 'load_id'];

export type EventFilters = TriggerSettings['filters'];

/** Whether an event may start the workflow. */
export function matchesFilters({ item, source }: ReceivedEvent, filters: EventFilters): boolean {
	const { mode, types, liveEvents, metadata, loadNumber } = filters;
	const isListed = mode !== 'all' && types.includes(eventType(item));
	if (mode === 'only' && !isListed) return false;
	if (!liveEvents && !isListed && callStage(source) === 'live') return false;
	if (loadNumber !== '' && !isAboutLoad(item, source, loadNumber)) return false;
	return metadata.every((condition) => isMet(item, condition));
}

/** An event's type, in lower case for comparison; empty if it has none. */
export function eventType({ event }: CallEvent): string {
	return event?.trim().toLowerCase() ?? '';
}

function isMet({ metadata }: CallEvent, { key, equals }: MetadataCondition): boolean {
	if (!Object.hasOwn(metadata, key)) return false;
	if (equals === undefined) return true;
	const value = ownField(metadata, key);
	return typeof value === 'boolean' || isScalar(value)
		? String(value).trim() === equals.trim()
		: equals.trim() === '' && (value === '' || value === null);
}

function isAboutLoad({ loadId, loadNumber, metadata }: CallEvent, source: unknown, load: string) {
	// A call may be about several loads (contract 2.3).
	const listed = fieldsOf(eventParts(source), LOAD_LISTS).flat();
	const inMetadata = LOAD_FIELDS.map((name) => ownField(metadata, name));
	return loadsIn([loadId, loadNumber, ...inMetadata, ...listed]).includes(loadKey(load));
}
