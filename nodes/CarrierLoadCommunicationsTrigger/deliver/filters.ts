import { callStage } from '../../shared/events/callStage';
import { isScalar, ownField } from '../../shared/events/eventParts';
import type { MetadataCondition } from '../fields/filterFields';
import type { TriggerSettings } from '../fields/form';
import type { CallEvent } from '../parse/callEvent';
import type { ReceivedEvent } from '../parse/readEvents';

export type EventFilters = TriggerSettings['filters'];

/** Whether an event may start the workflow. */
export function matchesFilters({ item, source }: ReceivedEvent, filters: EventFilters): boolean {
	const { mode, types, liveEvents, metadata, loadNumber } = filters;
	const isListed = mode !== 'all' && types.includes(eventType(item));
	if (mode === 'only' && !isListed) return false;
	if (!liveEvents && !isListed && callStage(source) === 'live') return false;
	if (loadNumber !== '' && !isAboutLoad(item, loadNumber)) return false;
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

function isAboutLoad({ loadId, loadNumber, metadata }: CallEvent, load: string): boolean {
	const inMetadata = ['loadNumber', 'load_number', 'loadId', 'load_id'].map((name) =>
		ownField(metadata, name),
	);
	return [loadId, loadNumber, ...inMetadata]
		.filter(isScalar)
		.some((number) => String(number).trim() === load.trim());
}
