import type {
	IDataObject,
	INodeExecutionData,
	INodeOutputConfiguration,
	INodeParameters,
} from 'n8n-workflow';

import { COLUMN_NAMES, simplifyAll, withLocalTime } from '../shared/columns/columns';
import { eventParts, fieldsOf, isScalar, ownField, reportParts } from '../shared/events/event';
import { withoutResumeUrl } from '../shared/events/resumeUrl';
import { callStage, EVENT_TYPE_FIELDS } from '../shared/outcome/callOutcome';
import { type MoreNames, outcomeRecord } from '../shared/outcome/outcomeRecord';
import { loadKey, loadsIn } from '../shared/service/record';
import type { MetadataCondition, TriggerSettings } from './form';
import { type CallEvent, LOAD_LISTS, type ReceivedEvent } from './parse';

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

/** In lower case for comparison; empty if it has none. */
function eventType({ event }: CallEvent): string {
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

const LOAD_FIELDS = ['loadNumber', 'load_number', 'loadId', 'load_id'];

function isAboutLoad({ loadId, loadNumber, metadata }: CallEvent, source: unknown, load: string) {
	// A call may be about several loads (contract 2.3).
	const listed = fieldsOf(eventParts(source), LOAD_LISTS).flat();
	const inMetadata = LOAD_FIELDS.map((name) => ownField(metadata, name));
	return loadsIn([loadId, loadNumber, ...inMetadata, ...listed]).includes(loadKey(load));
}

/**
 * One output, or one for each event type and one for all other events. The editor runs this function's
 * source as an expression, so it uses nothing from outside, and parses types as the form does.
 */
export const configuredOutputs = (parameters: INodeParameters): INodeOutputConfiguration[] => {
	if (parameters.eventKinds !== 'split') return [{ type: 'main' }];
	const types = String(parameters.kinds ?? '')
		.split(',')
		.map((type) => type.trim().toLowerCase())
		.filter((type, index, all) => type !== '' && all.indexOf(type) === index);
	return [...types, 'Other'].map((displayName) => ({ type: 'main', displayName }));
};

/** One item per event, at its output. */
export function toOutputs(
	events: ReceivedEvent[],
	{ mode, types }: Pick<EventFilters, 'mode' | 'types'>,
	output: TriggerSettings['output'],
): INodeExecutionData[][] {
	const isSplit = mode === 'split';
	const outputs = Array.from(
		{ length: isSplit ? types.length + 1 : 1 },
		(): INodeExecutionData[] => [],
	);
	for (const event of events) {
		const position = types.indexOf(eventType(event.item));
		const last = outputs.length - 1;
		outputs[isSplit && position >= 0 ? position : last]?.push({ json: jsonOf(event) });
	}
	return outputs;

	function jsonOf(event: ReceivedEvent): IDataObject {
		if (output.level === 'all') return { ...event.item };
		return output.level === 'simplified'
			? simplifiedEvent(event, output.zone)
			: outcomeOfEvent(event, output);
	}
}

/**
 * The outcome of the event's call, its type and its metadata. An event that isn't about how a call
 * ended (a bid, a tool call) is one flat row instead, with the event as received.
 */
export function outcomeOfEvent(
	event: ReceivedEvent,
	{ moreNames, zone }: { moreNames?: MoreNames; zone: string },
): IDataObject {
	const { item, source } = event;
	const { event: eventType = null, metadata, payload } = item;
	const stage = callStage(source);
	const id = item.callId ?? item.conversationId;
	if (stage === 'ended' || (stage === 'unknown' && id !== undefined)) {
		const record = outcomeRecord({ ...item, payload: Object(source) }, moreNames);
		return { ...withoutResumeUrl(record), eventType, metadata };
	}
	return { ...simplifiedEvent(event, zone), eventType, metadata, payload };
}

/** Other names of fields that the item has already. */
const OTHER_NAMES = new Set([
	...EVENT_TYPE_FIELDS,
	...['callStatus', 'call_status', 'recordingURL', 'formattedTranscript', 'formatted_transcript'],
]);

const flatten = simplifyAll(COLUMN_NAMES);

/**
 * An event as one flat row: its columns, `extracted_eta`, `metadata_team`, and each other text, number,
 * true or false that it has, since its shape is not in the contract (6).
 */
export function simplifiedEvent({ item, source }: ReceivedEvent, zone: string): IDataObject {
	const { loadId, loadNumber = loadId, metadata, extracted, ...columns } = item;
	const load = loadNumber ?? metadata.loadNumber ?? metadata.loadId;
	const known = Object.entries({ ...columns, loadNumber: load, extracted, metadata });
	const given = Object.fromEntries(
		known.filter(([name, value]) => name !== 'payload' && value !== undefined),
	);
	const row = withLocalTime({ ...otherFields(source, item), ...given }, zone);
	return withoutResumeUrl(flatten(row));
}

function otherFields(source: unknown, { callId }: ReceivedEvent['item']): IDataObject {
	const fields: IDataObject = {};
	for (const [name, value] of reportParts(source).flatMap((part) => Object.entries(part))) {
		const camelCase = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
		const column = COLUMN_NAMES.includes(camelCase) ? camelCase : name;
		if (!isScalar(value) && typeof value !== 'boolean') continue;
		const isCallId = name === 'id' && String(value) === String(callId);
		const isNew = !Object.hasOwn(fields, column) && !OTHER_NAMES.has(name) && !isCallId;
		if (isNew) fields[column] = value;
	}
	return fields;
}
