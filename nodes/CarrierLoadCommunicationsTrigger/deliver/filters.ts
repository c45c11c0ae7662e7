import { callStage } from '../../shared/events/callStage';
import { isScalar, ownField } from '../../shared/events/eventParts';
import type { CallEvent } from '../parse/callEvent';
import type { ReceivedEvent } from '../parse/readEvents';

/** One condition on an event's metadata. */
export interface MetadataCondition {
	key: string;
	/** If undefined, the key must exist with any value. */
	equals?: string | undefined;
}

export interface EventFilters {
	/** `all`, `only` the listed types, or `split`: each listed type has its own output. */
	mode: 'all' | 'only' | 'split';
	/** Lower-case event types, in the order of the outputs. */
	types: readonly string[];
	/** Whether live events start the workflow even if their type is not listed. */
	liveEvents: boolean;
	/** All conditions must be met. */
	metadata: readonly MetadataCondition[];
	/** Load number or ID in the event or its metadata; empty for any. */
	loadNumber: string;
}

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
