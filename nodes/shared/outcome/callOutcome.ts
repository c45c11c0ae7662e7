import { eventParts, fieldsOf, isScalar, reportParts, firstScalar } from '../events/event';
import { isJsonObject, type JsonObject } from '../service/json';

/**
 * The stage of a call according to one event.
 *
 * - `ended`: there is proof, an end word or an outcome
 * - `live`: the call is in progress (ringing, answered, tool call, partial transcript, …)
 * - `unknown`: no proof either way; only the call list can tell
 * - `other`: the event is not about the call's progress, such as a bid
 */
export type CallStage = 'ended' | 'live' | 'unknown' | 'other';

export const EVENT_TYPE_FIELDS =
	'event eventType event_type eventName event_name type kind detail-type'.split(' ');

const STATUS_FIELDS = ['status', 'callStatus', 'call_status'];

/**
 * How a call ended that reached no one, the most telling end first: a failed call to a voicemail box is
 * one to a voicemail box. `wrongNumber` is a `failed` call.
 */
export const ENDS = ['wrongNumber', 'voicemail', 'noAnswer', 'canceled', 'failed'] as const;
export type End = (typeof ENDS)[number];

type Meaning = End | 'ended' | 'live';

/** Whole phrases: "mechanical failure", "load rejected" and "appointment canceled" are none of them. */
const PHRASES: Record<Meaning, string> = {
	voicemail:
		'voicemail, voice mail, voicemail left, left voicemail, left a voicemail, voicemail reached, reached voicemail, voicemail detected, went to voicemail, voicemail full, mailbox full, answering machine, machine detected, answering machine detected, left message, vm, left vm, lvm',
	noAnswer:
		'no answer, noanswer, not answered, unanswered, did not answer, missed, missed call, busy, line busy, user busy, busy signal, no pickup, no pick up, not reached, unreachable, not reachable, no contact, rejected, declined',
	wrongNumber:
		'wrong number, bad number, incorrect number, wrong person, invalid number, number invalid, not in service, number not in service, out of service, disconnected number, number disconnected',
	failed: 'failed, failure, could not connect, failed to connect',
	canceled: 'cancel, canceled, cancelled, aborted',
	ended:
		'end, ended, complete, completed, finished, done, terminated, analyzed, summarized, dropped, hangup, hang up, hung up, disconnected, end of call, end of call report',
	live: 'start, started, initiated, created, placed, queued, pending, scheduled, dialing, dialling, calling, ringing, alerting, connecting, connected, answered, picked up, active, live, ongoing, in progress, inprogress, on hold',
};

const MEANINGS = new Map(
	([...ENDS, 'ended', 'live'] as const).flatMap((meaning) =>
		PHRASES[meaning].split(', ').map((phrase) => [phrase, meaning] as const),
	),
);

const UPDATE_WORDS = new Set(['update', 'updated', 'changed', 'progress']);
const SUBJECT = /^.*\b(calls?|conversation|session|status)\b */;
/** Only an event about a call has these. */
const CALL_FIELDS = ['call', 'callId', 'call_id', 'conversationId', 'toPhone', 'to_phone'];
const DURING_CALL = /\b(tools?|functions?|transcripts?|transcription|speech|utterance|partial)\b/;
const WHOLE_TRANSCRIPT =
	/^post call transcript|\btranscript(ion)? (completed|finished|ready|available)$/;

/** The stage of the call that an event is about. Never throws, regardless of what the event contains. */
export function callStage(event: unknown): CallStage {
	const parts = reportParts(event);
	const types = typesOf(parts);
	if (types.some((type) => /\bbids?\b/.test(type))) return 'other';
	if (types.some((type) => WHOLE_TRANSCRIPT.test(type))) return 'unknown';
	// A tool call or partial transcript may have its own status and results, and an end of a call its own
	// messages, such as a transcript: the outer type counts.
	const isEnd = (type: string) => SUBJECT.test(type) && stageOf(type) === 'ended';
	const outer = types.find((type) => DURING_CALL.test(type) || isEnd(type));
	if (outer !== undefined && DURING_CALL.test(outer)) return 'live';

	const byType = types.map(stageOf).find(Boolean);
	const statuses = isAboutCall(event, types) ? statusesOf(parts) : [];
	const byStatus = statuses.map((status) => stageOf(wordsOf(status))).find(Boolean);
	if (byType === 'ended' || byStatus === 'ended') return 'ended';
	if (byType === 'live') return 'live';
	const { summary, recordingUrl, extracted } = readOutcome(event);
	// A transcript alone may be partial.
	if ([summary, recordingUrl, extracted].some(hasValue)) return 'ended';
	const isUpdate = types.some((type) => UPDATE_WORDS.has(withoutSubject(type)));
	return byStatus === 'live' || isUpdate ? 'live' : 'unknown';
}

/** "load_tendered" has a status of its own, unless it names a call. */
function isAboutCall(event: unknown, types: readonly string[]): boolean {
	const isNamed = (type: string) => SUBJECT.test(type) || UPDATE_WORDS.has(type) || stageOf(type);
	if (types.length === 0 || types.some(isNamed)) return true;
	return fieldsOf(eventParts(event), CALL_FIELDS).some(hasValue);
}

/**
 * The status with which a call ended: the event's own or, if that names no end, its type's end word
 * ("no_answer" for `call.no_answer`). Undefined if the event has none.
 */
export function endStatus(event: unknown): string | number | undefined {
	const parts = reportParts(event);
	const statuses = statusesOf(parts).filter((status) => stageOf(wordsOf(status)) !== 'live');
	const said = statuses.find((status) => stageOf(wordsOf(status)) === 'ended');
	const type = typesOf(parts).find((each) => stageOf(each) === 'ended');
	return said ?? (type && withoutSubject(type).replaceAll(' ', '_')) ?? statuses[0];
}

/** With or without an outcome: the contract shows no set of statuses for a listed call (2.3, 3). */
export function hasEnded(call: JsonObject): boolean {
	if (endWord(call) !== undefined) return true;
	if (hasValue(call.summary) || hasValue(call.recordingUrl)) return true;
	return stageOf(wordsOf(call.status)) !== 'live' && hasValue(call.transcript);
}

/** A listed call's status or tag that says how it ended, such as `no_answer`. */
export function endWord(call: JsonObject): string | undefined {
	const words = [call.status].filter(isScalar).map(String);
	const tags = tagsIn([{ contentTags: call.contentTags }]);
	const said = [...words, ...tags].map((word) => word.trim());
	return said.find((word) => stageOf(wordsOf(word)) === 'ended');
}

const TAG_FIELDS = 'contentTags content_tags callContentTags call_content_tags tags'.split(' ');
/** A service or a sender may write 100 kB of commas; a call has a few tags. */
const LONGEST_TAGS = 5000;

/** The tags of an event's parts or of a listed call, as written. */
export function tagsIn(holders: readonly unknown[]): string[] {
	const lists = fieldsOf(holders, TAG_FIELDS).flat().filter(isScalar);
	return lists.flatMap((tags) => `${tags}`.slice(0, LONGEST_TAGS).split(/[,;|\n]/));
}

export function typesOf(parts: readonly JsonObject[]): string[] {
	return eventTypes(parts).filter(isScalar).map(wordsOf);
}

export function eventTypes(parts: readonly JsonObject[]): unknown[] {
	const named = fieldsOf(fieldsOf(parts, ['event']), ['name']);
	return [...fieldsOf(parts, EVENT_TYPE_FIELDS), ...named];
}

/** Innermost first, because an envelope may have its own status. */
export function statusesOf(parts: readonly JsonObject[]): Array<string | number> {
	return fieldsOf([...parts].reverse(), STATUS_FIELDS).filter(isScalar);
}

function stageOf(words: string): 'ended' | 'live' | undefined {
	const meaning = meaningOf(words);
	if (meaning === undefined || meaning === 'live') return meaning;
	// What picked up is detected while the call goes on: the agent may still leave a message.
	return words.endsWith(' detected') ? undefined : 'ended';
}

/** How the call ended, if that is all that a status, type or tag says: "no_answer", "call.failed". */
export function endOf(words: string): End | undefined {
	const meaning = meaningOf(words);
	return meaning === 'ended' || meaning === 'live' ? undefined : meaning;
}

function meaningOf(words: string): Meaning | undefined {
	return MEANINGS.get(words) ?? MEANINGS.get(withoutSubject(words));
}

/** "check call ended" → "ended"; "call transfer completed" stays "transfer completed". */
function withoutSubject(words: string): string {
	return words.replace(SUBJECT, '');
}

/** `NO_ANSWER`, `no-answer`, `noAnswer` → "no answer". */
export function wordsOf(value: unknown): string {
	if (!isScalar(value) || String(value).length > 100) return '';
	const spaced = String(value).replace(/([a-z])([A-Z])/g, '$1 $2');
	return spaced
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, ' ')
		.trim();
}

/** What an event says about the call's outcome, named like a listed call (contract 2.3). */
export interface CallOutcome {
	summary?: string | number;
	/** A line per message. May be partial during the call. */
	transcript?: string;
	contentTags?: JsonObject[string];
	recordingUrl?: string | number;
	/** The agent's findings (ETA, offered rate, …). */
	extracted?: JsonObject;
}

const EXTRACTED_FIELDS = [
	...['extracted', 'extractedData', 'extracted_data', 'structuredData', 'structured_data'],
	...['analysis', 'callAnalysis', 'call_analysis'],
];

/** Reads the outcome from an event, wherever it is nested. Leaves out empty fields. */
export function readOutcome(event: unknown): CallOutcome {
	const parts = reportParts(event);
	const first = (...names: string[]) => firstScalar(parts, names);
	const outcome = {
		summary: first('summary', 'callSummary', 'call_summary'),
		contentTags: fieldsOf(parts, TAG_FIELDS).find(hasValue),
		transcript: transcriptOf(parts),
		recordingUrl: first('recordingUrl', 'recording_url', 'recordingURL'),
		extracted: fieldsOf(parts, EXTRACTED_FIELDS).filter(isJsonObject).find(hasValue),
	};
	return Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined));
}

export function hasValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	if (isJsonObject(value)) return Object.keys(value).length > 0;
	return value === true || isScalar(value);
}

function transcriptOf(parts: readonly JsonObject[]): string | undefined {
	const found = fieldsOf(parts, ['formattedTranscript', 'formatted_transcript', 'transcript']);
	const text = found.find((value) => typeof value === 'string' && hasValue(value));
	if (typeof text === 'string') return text;
	const messages = found.find((value) => Array.isArray(value) && value.length > 0);
	return Array.isArray(messages) ? messages.map(lineOf).join('\n') : undefined;
}

function lineOf(message: unknown): string {
	if (!isJsonObject(message)) return isScalar(message) ? String(message) : '';
	const role = firstScalar([message], ['role', 'speaker']);
	const text = firstScalar([message], ['message', 'content', 'text']) ?? '';
	return role === undefined ? String(text) : `${role}: ${text}`;
}
