import type { IDataObject } from 'n8n-workflow';

import { describeEvent, type CallEvent } from './callEvent';
import { isRecord, ownField, valueAt } from './fields';

/** Names under which an envelope may hold its list of events. */
const LIST_NAMES = ['events', 'data', 'items', 'records', 'payload', 'results'];

/** What an object has only if it is an event itself, and not the envelope of several. */
const EVENT_MARKS = [
	'event',
	'eventType',
	'event_type',
	'type',
	'kind',
	'callId',
	'call_id',
].concat(['conversationId', 'status', 'metadata', 'loadNumber', 'loadId', 'toPhone']);

export interface ReadEvent {
	/** What the trigger hands on. */
	item: CallEvent;
	/** The event itself as it came, without the envelope around it. */
	source: unknown;
}

export interface Places {
	/** Where the list of events lies; empty to find it. */
	list: string;
	/** Where an event's metadata lies; empty to find it. */
	metadata: string;
}

/**
 * The events of a request body: one object, an array, or an envelope with a list. Undefined when
 * the body is neither an object nor an array. An event out of an envelope keeps the envelope as its
 * payload, with this one event in the list: no field of it is lost.
 *
 * @param receivedAt ISO 8601 in UTC
 */
export function readEvents(
	body: unknown,
	receivedAt: string,
	places: Places = { list: '', metadata: '' },
): ReadEvent[] | undefined {
	if (Array.isArray(body)) return body.map((event) => asEvent(event, event));
	if (!isRecord(body)) return undefined;

	const list = listPlace(body, places.list);
	const events = list === undefined ? undefined : valueAt(body, list.join('.'));
	if (list === undefined || !Array.isArray(events)) return [asEvent(body, body)];
	return events.map((event) => asEvent(event, narrow(body, list, event), body));

	function asEvent(
		source: unknown,
		payload: IDataObject[string],
		envelope?: IDataObject,
	): ReadEvent {
		const { metadata, ...parts } = describeEvent(source, places.metadata);
		const shared = ownField(envelope, 'metadata');
		const own = Object.keys(metadata).length > 0 || !isRecord(shared) ? metadata : shared;
		return { item: { ...parts, metadata: own, receivedAt, payload }, source };
	}
}

/** The steps to an envelope's list; undefined when the body is an event itself. */
function listPlace(body: IDataObject, place: string): string[] | undefined {
	if (place !== '') return place.split('.').map((step) => step.trim());
	if (EVENT_MARKS.some((mark) => Object.hasOwn(body, mark))) return undefined;
	const name = LIST_NAMES.find((candidate) => isEventList(ownField(body, candidate)));
	return name === undefined ? undefined : [name];
}

function isEventList(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** The envelope with one event in its list. */
function narrow(
	value: IDataObject[string],
	steps: readonly string[],
	event: IDataObject,
): IDataObject[string] {
	const [step, ...rest] = steps;
	if (step === undefined) return [event];
	if (!isRecord(value)) return value;
	return { ...value, [step]: narrow(value[step], rest, event) };
}
