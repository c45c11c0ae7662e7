import type { IDataObject } from 'n8n-workflow';

import { simplify, withLocalTime } from '../shared/columns/columns';
import { COLUMN_NAMES } from '../shared/columns/columnNames';
import { isScalar, reportParts } from '../shared/events/event';
import { withoutResumeUrl } from '../shared/events/resumeUrl';
import { callStage, EVENT_TYPE_FIELDS } from '../shared/outcome/callOutcome';
import { outcomeRecord, type MoreNames } from '../shared/outcome/outcomeRecord';
import type { TriggerSettings } from './form';
import type { ReceivedEvent } from './parse';

/** Whether an event may start the workflow: by its type or, if the user names none, unless the call goes on. */
export function isWanted({ item, source }: ReceivedEvent, types: readonly string[]): boolean {
	if (types.length > 0) return types.includes(item.event?.toLowerCase() ?? '');
	return callStage(source) !== 'live';
}

export function itemOf(event: ReceivedEvent, output: TriggerSettings['output']): IDataObject {
	if (output.level === 'all') return { ...event.item };
	return output.level === 'simplified'
		? simplifiedEvent(event, output.zone)
		: outcomeOfEvent(event, output);
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

const flatten = simplify(COLUMN_NAMES, undefined, true);

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
