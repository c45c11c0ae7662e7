import type { IDataObject } from 'n8n-workflow';

import { readOutcome, type CallOutcome } from '../../shared/events/callOutcome';
import { eventTypes, statusesOf } from '../../shared/events/callStage';
import {
	eventParts,
	fieldsOf,
	firstScalar,
	isScalar,
	ownField,
	reportParts,
} from '../../shared/events/eventParts';
import { isJsonObject, parseExactJson, type JsonObject } from '../../shared/service/http/json';
import { checkLimits } from './requestBody';
import { valueAt } from './valueAt';

/** A call event as the trigger returns it. Missing fields are left out. */
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
	headers?: IDataObject;
}

/** Maximum values in metadata that is JSON text: 500 events may each have some. */
const MAX_TEXT_VALUES = 1000;

/** Names under which an event may list the loads that its call is about. */
export const LOAD_LISTS = ['loadIds', 'load_ids'];

/** One event's fields, without those that its envelope may have. */
interface EventFields extends Omit<CallEvent, 'receivedAt' | 'payload' | 'metadata'> {
	/** All that it has, the call's own first. */
	metadata: JsonObject[];
}

/** Reads one event's fields, wherever they are nested (contract 6). An empty path is detected. */
export function readCallEvent(source: unknown, metadataPath: string): EventFields {
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
	const known = Object.fromEntries(
		Object.entries(found).filter(([, value]) => value !== undefined),
	);
	const explicit = metadataPath === '' ? [] : [valueAt(source, metadataPath)];
	const metadata = [...explicit, ...findMetadata(parts, report)].map(asObject).filter(isJsonObject);
	return { ...known, metadata: metadata.filter((object) => Object.keys(object).length > 0) };
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
