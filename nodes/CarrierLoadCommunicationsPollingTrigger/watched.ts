import { createHash } from 'crypto';

import type { ServiceClient } from '../shared/service/client';
import type { ConversationQuery } from '../shared/service/contract/conversation';
import { isJsonObject, type JsonObject } from '../shared/service/http/json';
import type { List, Paging } from '../shared/service/pagination';

export const WATCHED_EVENTS = ['callOutcomeReady', 'newBid', 'newCall', 'newConversation'] as const;

export type WatchedEvent = (typeof WATCHED_EVENTS)[number];

/** One of the service's lists, watched for one kind of event. */
export interface Watched {
	/** What is watched for, for the error's text. */
	about: string;
	list(client: ServiceClient, query: ConversationQuery, paging: Paging): Promise<List>;
	/** Tells a record from all others of its list. */
	keyOf(row: JsonObject): string;
	/** When the record was made: milliseconds; undefined when it does not say. */
	timeOf(row: JsonObject): number | undefined;
	/** Whether the record is what is watched for; else it may become so. */
	isReady(row: JsonObject): boolean;
}

const always = () => true;
const byId = (row: JsonObject) => idOf(row) ?? hashOf(row, ['createdAt', 'fromPhone', 'toPhone']);
const createdAt = (row: JsonObject) => timeIn(row.createdAt);

const calls: Omit<Watched, 'about' | 'isReady'> = {
	list: async (client, query, paging) => await client.listCalls(query, paging),
	keyOf: byId,
	timeOf: createdAt,
};

export const WATCHED: Record<WatchedEvent, Watched> = {
	newCall: { ...calls, about: 'new calls', isReady: always },
	// A call in progress is listed without summary and transcript (contract 2.3 and 2.9).
	callOutcomeReady: { ...calls, about: 'call outcomes', isReady: hasOutcome },
	newConversation: {
		about: 'new conversations',
		list: async (client, query, paging) => await client.listConversations(query, paging),
		keyOf: byId,
		timeOf: createdAt,
		isReady: always,
	},
	newBid: {
		about: 'new bids',
		list: async (client, query, paging) => await client.listBids(query, paging),
		keyOf: keyOfBid,
		timeOf: (row) => timeIn(row.callDateTime),
		isReady: always,
	},
};

/**
 * Bids have no id (contract 2.5). Who bid on which load, when, and on which telephone does not
 * change any more; names and the summary may be filled in later.
 */
function keyOfBid(row: JsonObject): string {
	const parts = ['loadId', 'callDateTime', 'carrierMc', 'carrierDot', 'phoneNumber', 'extension'];
	return idOf(row) ?? hashOf(row, parts);
}

function hasOutcome({ summary, transcript }: JsonObject): boolean {
	return [summary, transcript].some((text) => typeof text === 'string' && text.trim() !== '');
}

function idOf({ id }: JsonObject): string | undefined {
	const isId = typeof id === 'number' || (typeof id === 'string' && id !== '');
	return isId ? String(id) : undefined;
}

function hashOf(row: JsonObject, names: string[]): string {
	const told = names.map((name) => (isJsonObject(row[name]) ? null : (row[name] ?? null)));
	return createHash('sha256').update(JSON.stringify(told)).digest('base64url').slice(0, 16);
}

function timeIn(value: unknown): number | undefined {
	if (typeof value !== 'string' || value === '') return undefined;
	// A time without a zone is taken as UTC; the overlap covers what that may be wrong by.
	const zoneless = value.includes('T') && !/(Z|[+-]\d\d:?\d\d)$/i.test(value);
	const time = Date.parse(zoneless ? `${value}Z` : value);
	return Number.isFinite(time) ? time : undefined;
}
