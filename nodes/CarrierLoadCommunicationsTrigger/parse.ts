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
import {
	readOutcome,
	type CallOutcome,
	eventTypes,
	statusesOf,
} from '../shared/outcome/callOutcome';
import { isJsonObject, type JsonObject, parseExactJson } from '../shared/service/json';

/** The trigger remembers at least as many, see `duplicates.ts`. */
const MAX_EVENTS = 500;

/** Each event gets a copy of the fields around its list: characters of all copies. */
const MAX_COPIES = 16_000_000;

/** Names under which an envelope may hold its list of events. */
const LIST_NAMES = ['events', 'data', 'items', 'records', 'payload', 'results'];

/** An event as the trigger returns it. Missing fields are left out. */
export interface CallEvent extends CallOutcome {
	event?: string;
	callId?: string | number;
	conversationId?: string | number;
	status?: string | number;
	loadId?: string | number;
	loadNumber?: string | number;
	toPhone?: string | number;
	fromPhone?: string | number;
	/** The metadata of the call request (contract 6), without the resume URL; empty if there is none. */
	metadata: IDataObject;
	/** When it arrived, ISO 8601 in UTC. */
	receivedAt: string;
	/** The event as received, without the resume URL. */
	payload: IDataObject[string];
}

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
	const [only, ...others] = Object.values(body);
	const isEmpty = Object.hasOwn(body, 'events') && Array.isArray(only) && only.length === 0;
	return isEmpty && others.length === 0 ? ['events'] : undefined;
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

/** In metadata that is JSON text: 500 events may each have some. */
const MAX_TEXT_VALUES = 1000;

/** Names under which an event may list the loads that its call is about. */
export const LOAD_LISTS = ['loadIds', 'load_ids'];

interface EventFields extends Omit<CallEvent, 'receivedAt' | 'payload' | 'metadata'> {
	/** All that it has, the call's own first. */
	metadata: JsonObject[];
}

/** Reads one event's fields, wherever they are nested (contract 6). An empty path is detected. */
function readCallEvent(source: unknown, metadataPath: string): EventFields {
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
	const known = Object.entries(found).filter(([, value]) => value !== undefined);
	const explicit = metadataPath === '' ? [] : [valueAt(source, metadataPath)];
	const metadata = [...explicit, ...findMetadata(parts, report)].map(asObject).filter(isJsonObject);
	const isFilled = (object: JsonObject) => Object.keys(object).length > 0;
	return { ...Object.fromEntries(known), metadata: metadata.filter(isFilled) };
}

function typeOf(report: readonly JsonObject[]): string | undefined {
	const type = eventTypes(report).find((value) => typeof value === 'string' && isScalar(value));
	return type === undefined ? undefined : String(type).trim();
}

/** The call's ID: `id` of an object named "call", or of one with a phone number. */
function findCallId(source: unknown, report: readonly JsonObject[]): string | number | undefined {
	const named = fieldsOf(report, ['call']).filter(isJsonObject);
	const alike = report.filter(
		(part) => ownField(part, 'toPhone') !== undefined && !isTypedEvent(source, part),
	);
	return firstScalar([...named, ...alike], ['id']);
}

/** The ID of a flat event with a type is the event's, unless it is a number. */
function isTypedEvent(source: unknown, part: JsonObject): boolean {
	return (
		part === source && typeOf([part]) !== undefined && !/^\d+$/.test(String(ownField(part, 'id')))
	);
}

function findOnlyLoad(parts: readonly JsonObject[]): string | number | undefined {
	const [only, ...others] = fieldsOf(parts, LOAD_LISTS).find(Array.isArray) ?? [];
	return others.length === 0 && isScalar(only) ? only : undefined;
}

/** In the echoed request, it is the call's; elsewhere, it may be the event's own. */
function findMetadata(parts: readonly JsonObject[], report: readonly JsonObject[]): unknown[] {
	const request = parts.filter((part) => !report.includes(part));
	return fieldsOf([...request, ...report], ['metadata']);
}

/** Metadata may be JSON text, in which the limits of the body have not counted anything. */
function asObject(value: unknown): unknown {
	if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
	const tooMuch = checkLimits(Buffer.from(value), MAX_TEXT_VALUES);
	return tooMuch ? undefined : parseExactJson(value);
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

/** A request that is rejected without starting anything. */
export interface Rejection {
	status: 400 | 401 | 413 | 503;
	/** For the log, and except with 401 for the sender. Never contains a secret. */
	reason: string;
	/** How the sender must authenticate. */
	challenge?: string | undefined;
}

/** No service needs deeper nesting, and n8n's own recursive copying would overflow the stack. */
const MAX_DEPTH = 100;

/** Numbers, texts, objects and lists in one body. Millions of them block n8n for minutes. */
const MAX_VALUES = 200_000;

const NOT_READ: Rejection = { status: 400, reason: 'The body could not be read' };

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

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

/** The body as JSON, whatever its content type. Integers above 2^53 become text. */
export function parseBody(rawBody: Buffer): { body: object } | Rejection {
	const tooMuch = checkLimits(rawBody);
	if (tooMuch) return tooMuch;
	const body = parseExactJson(rawBody.toString('utf8').replace(/^\uFEFF/, ''));
	return typeof body === 'object' && body !== null
		? { body }
		: { status: 400, reason: 'The body must be a JSON object or an array' };
}

/** Counts before parsing: parsing 16 MB of `{},{},…` alone would take seconds. */
function checkLimits(rawBody: Buffer, maxValues = MAX_VALUES): Rejection | undefined {
	let values = 0;
	let depth = 0;
	let isInText = false;
	for (let at = 0; at < rawBody.length; at++) {
		const byte = rawBody[at];
		if (isInText) {
			if (byte === BACKSLASH) at += 1;
			else if (byte === QUOTE) isInText = false;
			continue;
		}
		if (byte === QUOTE) isInText = true;
		if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
		const isOpening = byte === OPENING_BRACE || byte === OPENING_BRACKET;
		if (isOpening) depth += 1;
		if (isOpening || byte === COMMA) values += 1;
		if (depth > MAX_DEPTH) {
			return { status: 400, reason: `The body is nested more than ${MAX_DEPTH} levels deep` };
		}
		if (values > maxValues) {
			return { status: 413, reason: `The body has more than ${maxValues} values` };
		}
	}
	return undefined;
}
