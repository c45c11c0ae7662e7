import type { IDataObject } from 'n8n-workflow';

import { firstScalar, isRecord, isScalar, ownField, valueAt } from './fields';

/** A call event as the trigger hands it on. What the event does not say, is not there. */
export interface CallEvent {
	/** The kind of event, in the service's words. */
	event?: string;
	callId?: string | number;
	conversationId?: string | number;
	status?: string | number;
	loadId?: string | number;
	loadNumber?: string | number;
	/** The metadata of the call request (contract 6); empty when the event carries none. */
	metadata: IDataObject;
	/** When it arrived, ISO 8601 in UTC. */
	receivedAt: string;
	/** The event as it came, untouched. */
	payload: IDataObject[string];
	/** The headers it came with, if they were asked for. */
	headers?: IDataObject;
}

/** Where the parts of an event may lie; the contract (6) does not show the payload's shape. */
const PLACES = ['data', 'call', 'payload', 'event'] as const;

const KIND_NAMES = ['event', 'eventType', 'event_type', 'eventName', 'event_name', 'type', 'kind'];

/** Objects in which the parts of an event may lie, outermost first. */
function holdersOf(payload: unknown): IDataObject[] {
	if (!isRecord(payload)) return [];
	const inner = (holder: IDataObject) =>
		PLACES.map((place) => ownField(holder, place)).filter(isRecord);
	const first = inner(payload);
	return [payload, ...first, ...first.flatMap(inner)];
}

/** The parts of one event that can be recognised in it, whatever shape it has. */
export function describeEvent(
	payload: unknown,
	metadataPlace: string,
): Omit<CallEvent, 'receivedAt' | 'payload'> {
	const holders = holdersOf(payload);
	const inward = [...holders.slice(1), ...holders.slice(0, 1)];
	const search = (from: IDataObject[], ...names: string[]) =>
		from.map((holder) => firstScalar(holder, names)).find(isScalar);
	const parts = {
		event: findKind(holders),
		callId: search(holders, 'callId', 'call_id') ?? findCall(payload, holders),
		conversationId:
			search(holders, 'conversationId', 'conversation_id') ??
			holders.map((holder) => firstScalar(ownField(holder, 'conversation'), ['id'])).find(isScalar),
		// An envelope may have a status of its own: the inner one is the call's.
		status: search(inward, 'status', 'callStatus', 'call_status'),
		loadId: search(holders, 'loadId', 'load_id') ?? findOnlyLoad(holders),
		loadNumber: search(holders, 'loadNumber', 'load_number'),
	};
	const known = Object.fromEntries(Object.entries(parts).filter(([, part]) => isScalar(part)));
	return { ...known, metadata: findMetadata(payload, holders, metadataPlace) };
}

function findKind(holders: IDataObject[]): string | undefined {
	const kind = holders
		.map((holder) =>
			KIND_NAMES.map((name) => ownField(holder, name)).find((value) => typeof value === 'string'),
		)
		.find(isScalar);
	const named = holders.map((holder) => firstScalar(ownField(holder, 'event'), ['name']));
	const found = kind ?? named.find(isScalar);
	return found === undefined ? undefined : String(found).trim();
}

/** The id of the object that is the call: it is called so, or has what only a call has (contract 2.4). */
function findCall(payload: unknown, holders: IDataObject[]): string | number | undefined {
	const called = holders.map((holder) => ownField(holder, 'call')).filter(isRecord);
	const alike = holders.filter(
		(holder) => ownField(holder, 'toPhone') !== undefined && !isNamedEvent(payload, holder),
	);
	return [...called, ...alike].map((call) => firstScalar(call, ['id'])).find(isScalar);
}

/** A flat event with a kind and an id of letters: that id is the event's, not the call's. */
function isNamedEvent(payload: unknown, holder: IDataObject): boolean {
	const id = ownField(holder, 'id');
	return holder === payload && findKind([holder]) !== undefined && !/^\d+$/.test(String(id));
}

function findOnlyLoad(holders: IDataObject[]): string | number | undefined {
	const lists = holders.map((holder) => ownField(holder, 'loadIds')).filter(Array.isArray);
	const [only, ...others] = lists[0] ?? [];
	return others.length === 0 && isScalar(only) ? only : undefined;
}

function findMetadata(payload: unknown, holders: IDataObject[], place: string): IDataObject {
	const candidates = holders.map((holder) => ownField(holder, 'metadata'));
	if (place !== '') candidates.unshift(valueAt(payload, place));
	const records = candidates.map(asRecord).filter(isRecord);
	return records.find((record) => Object.keys(record).length > 0) ?? records[0] ?? {};
}

/** Metadata that was written as JSON text counts, too. */
function asRecord(value: unknown): unknown {
	if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}
