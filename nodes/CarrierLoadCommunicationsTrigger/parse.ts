import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import {
	isScalar,
	ownField,
	eventParts,
	fieldsOf,
	firstScalar,
	reportParts,
} from '../shared/events/event';
import { RESUME_URL_KEY, withoutResumeUrl } from '../shared/events/resumeUrl';
import { readOutcome, eventTypes, statusesOf } from '../shared/outcome/callOutcome';
import { isJsonObject, MAX_VALUES, parseExactJson, tooMuch } from '../shared/service/json';
import type { JsonObject } from '../shared/service/json';

/** The trigger remembers at least as many, see `duplicates.ts`. */
const MAX_EVENTS = 500;
/** Names under which an envelope may hold its list of events. */
const LIST_NAMES = ['events', 'data', 'items', 'records', 'payload', 'results'];

/** An event as the trigger returns it: what it says about its call. Missing fields are left out. */
interface CallEvent extends IDataObject {
	event?: string;
	/** The metadata of the call request (contract 6), without the resume URL; empty if there is none. */
	metadata: IDataObject;
	/** When it arrived, ISO 8601 in UTC. */
	receivedAt: string;
	/** The event as received, without the resume URL. */
	payload: IDataObject[string];
}

export interface ReceivedEvent {
	item: CallEvent;
	source: unknown;
	/** Resumes the execution waiting for this event, according to its metadata. */
	resumeUrl?: string | undefined;
}

/**
 * Reads the events of a body: an object, an array, or an envelope with a list.
 * @param receivedAt ISO 8601 in UTC
 * @param metadataField path to an event's metadata; empty to detect it
 */
export function readEvents(
	body: object,
	receivedAt: string,
	metadataField = '',
): ReceivedEvent[] | Rejection {
	const sources: JsonObject[] = Array.isArray(body) ? body : (listIn({ ...body }) ?? [body]);
	if (sources.length > MAX_EVENTS) {
		return { status: 413, reason: `More than ${MAX_EVENTS} events in one request` };
	}
	return sources.map((source) => {
		const fields = readFields(source);
		const metadata = readMetadata(source, metadataField);
		const resumeUrl = metadata.map((each) => ownField(each, RESUME_URL_KEY)).find(isScalar);
		const item = { receivedAt, ...fields, metadata: metadata[0] ?? {}, payload: source };
		const resume = resumeUrl === undefined ? {} : { resumeUrl: String(resumeUrl) };
		return { item: withoutResumeUrl(item), source, ...resume };
	});
}

/** An envelope's list of events; undefined if the body is an event. */
function listIn(body: JsonObject): JsonObject[] | undefined {
	for (const name of LIST_NAMES) {
		const list = ownField(body, name);
		if (!Array.isArray(list) || !list.every(isJsonObject)) continue;
		// With anything next to it, an empty list may be an event's own.
		if (list.length === 0 && (name !== 'events' || Object.keys(body).length > 1)) continue;
		// What is around a list may be an event itself: then the list is its own, such as a timeline.
		const around = { ...body, [name]: [] };
		const fields = Object.keys(readFields(around)).filter((field) => field !== 'contentTags');
		return fields.length > 0 || hasMetadata(around) ? undefined : list;
	}
	return undefined;
}

function hasMetadata(around: JsonObject): boolean {
	return Object.hasOwn(around, 'metadata') || readMetadata(around, '').length > 0;
}

/** Reads one event's fields, wherever they are nested (contract 6). */
function readFields(source: unknown): IDataObject {
	const parts = eventParts(source);
	const report = reportParts(source);
	const { transcript, extracted, ...outcome } = readOutcome(source);
	const found = {
		loadNumber: firstScalar(parts, ['loadNumber', 'load_number']),
		loadId: firstScalar(parts, ['loadId', 'load_id']) ?? findOnlyLoad(parts),
		toPhone: firstScalar(parts, ['toPhone', 'to_phone']),
		fromPhone: firstScalar(parts, ['fromPhone', 'from_phone']),
		event: typeOf(report),
		status: statusesOf(report)[0],
		...outcome,
		callId: firstScalar(parts, ['callId', 'call_id']) ?? findCallId(source, report),
		conversationId:
			firstScalar(parts, ['conversationId', 'conversation_id']) ??
			firstScalar(fieldsOf(report, ['conversation']), ['id']),
		...{ transcript, extracted },
	};
	return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function typeOf(report: readonly JsonObject[]): string | undefined {
	const type = eventTypes(report).find((value) => typeof value === 'string' && isScalar(value));
	return type === undefined ? undefined : String(type).trim();
}

/** The call's ID: `id` of an object named "call", or of one with a phone number. */
function findCallId(source: unknown, report: readonly JsonObject[]): string | number | undefined {
	// The ID of a flat event with a type is the event's, unless it is a number.
	const isEventId = (part: JsonObject) =>
		part === source && typeOf([part]) !== undefined && !/^\d+$/.test(String(part.id));
	const own = report.filter((part) => ownField(part, 'toPhone') !== undefined && !isEventId(part));
	return firstScalar([...fieldsOf(report, ['call']), ...own], ['id']);
}

function findOnlyLoad(parts: readonly JsonObject[]): string | number | undefined {
	const [only, ...others] = fieldsOf(parts, ['loadIds', 'load_ids']).find(Array.isArray) ?? [];
	return others.length === 0 && isScalar(only) ? only : undefined;
}

/** In metadata that is JSON text: 500 events may each have some. */
const MAX_TEXT_VALUES = 1000;

/** All metadata that isn't empty, the call's own first. An empty path is detected. */
function readMetadata(source: unknown, path: string): JsonObject[] {
	const report = reportParts(source);
	// In the echoed request, it is the call's; elsewhere, it may be the event's own.
	const request = eventParts(source).filter((part) => !report.includes(part));
	const found = fieldsOf([...request, ...report], ['metadata']);
	return [...(path === '' ? [] : [valueAt(source, path)]), ...found]
		.map(asObject)
		.filter(isJsonObject)
		.filter((metadata) => Object.keys(metadata).length > 0);
}

/** Metadata may be JSON text, in which the limits of the body have not counted anything. */
function asObject(value: unknown): unknown {
	if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
	return checkLimits(value, MAX_TEXT_VALUES) ? undefined : parseExactJson(value);
}

/** The value at a path such as `data.event.id` or `events.0.id`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
	let found = value;
	for (const step of path.split('.').map((part) => part.trim())) {
		found =
			Array.isArray(found) && /^\d+$/.test(step) ? found[Number(step)] : ownField(found, step);
	}
	return found;
}

export type WebhookRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

export interface Rejection {
	status: 400 | 401 | 413 | 503;
	/** For the log, and except with 401 for the sender. Never contains a secret. */
	reason: string;
}

/** No service needs deeper nesting, and n8n's own recursive copying would overflow the stack. */
const MAX_DEPTH = 100;
const NOT_READ: Rejection = { status: 400, reason: 'The body could not be read' };

/** The body's bytes, as signed. n8n decompresses them, and limits their size (N8N_PAYLOAD_SIZE_MAX). */
export async function readRawBody(request: WebhookRequest): Promise<Buffer | Rejection> {
	// n8n reads a form's parts itself. Waiting for them again, unzipped, would never end.
	if (!Buffer.isBuffer(request.rawBody) && !request.readable) return NOT_READ;
	try {
		// n8n 2.41 has read it if it is JSON, XML, a form or text (webhook-helpers.js, `parseRequestBody`).
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch (error) {
		const { type, status }: Record<string, unknown> = { ...Object(error) };
		return type === 'entity.too.large' || status === 413
			? { status: 413, reason: 'The body is too large for this n8n' }
			: NOT_READ;
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** The body as JSON, regardless of its content type. Integers above 2^53 become text. */
export function parseBody(rawBody: Buffer): { body: object } | Rejection {
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	const excess = checkLimits(text);
	if (excess) return excess;
	const body = parseExactJson(text);
	return typeof body === 'object' && body !== null
		? { body }
		: { status: 400, reason: 'The body must be a JSON object or an array' };
}

function checkLimits(text: string, maxValues = MAX_VALUES): Rejection | undefined {
	const excess = tooMuch(text, maxValues, MAX_DEPTH);
	return excess === 'levels'
		? { status: 400, reason: `The body is nested more than ${MAX_DEPTH} levels deep` }
		: excess && { status: 413, reason: `The body has more than ${maxValues} values` };
}
