import type { IDataObject } from 'n8n-workflow';

import { isScalar, ownField } from '../../shared/events/eventParts';
import { RESUME_URL_KEY, withoutResumeUrl } from '../../shared/events/resumeUrl';
import { isJsonObject, type JsonObject } from '../../shared/service/http/json';
import { readCallEvent, type CallEvent } from './callEvent';
import type { Rejection } from './requestBody';
import { valueAt } from './valueAt';

/** Maximum events per request. The trigger remembers at least as many, see `deliver/eventMemory`. */
const MAX_EVENTS = 500;

/** Maximum size of the fields around a list when each event gets a copy, in characters. */
const MAX_COPIES = 16_000_000;

/** Names under which an envelope may hold its list of events. */
const LIST_NAMES = ['events', 'data', 'items', 'records', 'payload', 'results'];

export interface ReceivedEvent {
	item: CallEvent;
	/** The event as received, without its envelope. */
	source: unknown;
	/** Resumes the execution waiting for this event, according to its metadata. */
	resumeUrl?: string | undefined;
}

/**
 * Reads the events of a body: an object, an array, or an envelope with a list. An event's payload is
 * the envelope with only this event in its list, so no field is lost.
 *
 * @param receivedAt ISO 8601 in UTC
 * @param paths to the list of events and to an event's metadata; empty to detect them
 */
export function readEvents(
	body: object,
	receivedAt: string,
	paths = { list: '', metadata: '' },
): ReceivedEvent[] | Rejection {
	const list = isJsonObject(body) ? findList(body, paths.list) : undefined;
	const sources: unknown = Array.isArray(body) ? body : list && valueAt(body, list.join('.'));
	if (!Array.isArray(sources)) return [readEvent(body, body)];
	if (sources.length > MAX_EVENTS) {
		return { status: 413, reason: `More than ${MAX_EVENTS} events in one request` };
	}
	if (!isJsonObject(body) || list === undefined) {
		return sources.map((source: JsonObject) => readEvent(source, source));
	}
	const around = JSON.stringify(withList(body, list, [])).length;
	if (around * sources.length > MAX_COPIES) {
		return { status: 413, reason: 'The fields around the list of events are too large' };
	}
	const { metadata } = readCallEvent(withList(body, list, []), '');
	return sources.map((source) => readEvent(source, withList(body, list, [source]), metadata));

	function readEvent(
		source: unknown,
		payload: IDataObject[string],
		metadataAround: readonly JsonObject[] = [],
	): ReceivedEvent {
		const { metadata: own, ...parts } = readCallEvent(source, paths.metadata);
		const metadata = own.length > 0 ? own : metadataAround;
		const resumeUrl = metadata.map((each) => ownField(each, RESUME_URL_KEY)).find(isScalar);
		return {
			item: withoutResumeUrl({ receivedAt, ...parts, metadata: metadata[0] ?? {}, payload }),
			source,
			...(resumeUrl !== undefined && { resumeUrl: String(resumeUrl) }),
		};
	}
}

/** The path to an envelope's list; undefined if the body is an event. */
function findList(body: JsonObject, path: string): string[] | undefined {
	if (path !== '') return path.split('.').map((step) => step.trim());
	const name = LIST_NAMES.find((candidate) => isEventList(ownField(body, candidate)));
	if (name !== undefined) return isEvent({ ...body, [name]: [] }) ? undefined : [name];
	// With anything beside it, an empty list may be an event's own.
	const isEmptyList = JSON.stringify(body) === '{"events":[]}';
	return isEmptyList ? ['events'] : undefined;
}

/** Whether what is around a list is an event itself: then the list is its own, such as a timeline. */
function isEvent(around: JsonObject): boolean {
	const { metadata, ...found } = readCallEvent(around, '');
	const hasMetadata = metadata.length > 0 || Object.hasOwn(around, 'metadata');
	return hasMetadata || Object.keys(found).some((name) => name !== 'contentTags');
}

function isEventList(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function withList(
	value: IDataObject[string],
	steps: readonly string[],
	events: IDataObject[],
): IDataObject[string] {
	const [step, ...rest] = steps;
	if (step === undefined) return events;
	if (!isJsonObject(value)) return value;
	return { ...value, [step]: withList(value[step], rest, events) };
}
