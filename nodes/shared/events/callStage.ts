import type { JsonObject } from '../service/http/json';
import { hasValue, readOutcome, type CallOutcome } from './callOutcome';
import { eventParts, fieldsOf, isScalar, reportParts } from './eventParts';

/**
 * The stage of a call according to one event.
 *
 * - `ended`: there is proof, an end word or an outcome
 * - `live`: the call is in progress (ringing, answered, tool call, partial transcript, …)
 * - `unknown`: no proof either way; only the call list can tell
 * - `other`: the event is not about the call's progress, such as a bid
 */
export type CallStage = 'ended' | 'live' | 'unknown' | 'other';

/** Fields that may contain the event type. */
export const EVENT_TYPE_FIELDS = [
	...['event', 'eventType', 'event_type', 'eventName', 'event_name', 'type', 'kind'],
];

const STATUS_FIELDS = ['status', 'callStatus', 'call_status'];

const END_WORDS = new Set(
	[
		'end, ended, complete, completed, finished, done, terminated, analyzed, summarized',
		'failed, failure, no answer, noanswer, not answered, unanswered, missed, busy, line busy',
		'user busy, cancel, canceled, cancelled, aborted, rejected, declined, unreachable, dropped',
		'voicemail, voice mail, voicemail left, left voicemail, answering machine',
		'hangup, hang up, hung up, disconnected, invalid number, end of call, end of call report',
	].flatMap((line) => line.split(', ')),
);

const LIVE_WORDS = new Set(
	[
		'start, started, initiated, created, placed, queued, pending, scheduled, dialing, dialling',
		'calling, ringing, alerting, connecting, connected, answered, picked up, active, live',
		'ongoing, in progress, inprogress, on hold',
	].flatMap((line) => line.split(', ')),
);

const UPDATE_WORDS = new Set(['update', 'updated', 'changed', 'progress']);

const SUBJECT = /^.*\b(calls?|conversation|session|status)\b */;

/** Only an event about a call has these. */
const CALL_FIELDS = ['call', 'callId', 'call_id', 'conversationId', 'toPhone', 'to_phone'];

const DURING_CALL = /\b(tools?|functions?|transcripts?|transcription|speech|utterance|partial)\b/;
const WHOLE_TRANSCRIPT = /\btranscript(ion)? (completed|finished|ready|available)$/;

/** The stage of the call that an event is about. Never throws, whatever the event contains. */
export function callStage(event: unknown): CallStage {
	const parts = reportParts(event);
	const types = typesOf(parts);
	if (types.some((type) => /\bbids?\b/.test(type))) return 'other';
	if (types.some((type) => WHOLE_TRANSCRIPT.test(type))) return 'unknown';
	// A tool call or partial transcript may have its own status and results, and an end of a call its own
	// messages, such as a transcript: the outer type counts.
	const outer = types.find((type) => DURING_CALL.test(type) || isEndOfCall(type));
	if (outer !== undefined && DURING_CALL.test(outer)) return 'live';

	const byType = types.map(stageOf).find((stage) => stage !== undefined);
	const byStatus = (isAboutCall(event, types) ? statusesOf(parts) : [])
		.map((status) => stageOf(wordsOf(status)))
		.find((stage) => stage !== undefined);
	if (byType === 'ended' || byStatus === 'ended') return 'ended';
	if (byType === 'live') return 'live';
	if (isOutcome(readOutcome(event))) return 'ended';
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

/**
 * Whether a listed call (contract 2.3), or a placed call's row, has ended, with or without an
 * outcome. The contract shows no status of a listed call and no set of statuses (3).
 */
export function hasEnded(call: JsonObject): boolean {
	const stage = stageOf(wordsOf(call.status));
	if (stage === 'ended' || hasValue(call.summary) || hasValue(call.recordingUrl)) return true;
	if (stage !== 'live' && hasValue(call.transcript)) return true;
	const tags = [call.contentTags].flat().filter(isScalar);
	return tags
		.flatMap((tag) => String(tag).split(/[,;|]/))
		.some((tag) => stageOf(wordsOf(tag)) === 'ended');
}

/** A transcript alone doesn't count: it may be partial. */
function isOutcome({ summary, recordingUrl, extracted }: CallOutcome): boolean {
	return hasValue(summary) || hasValue(recordingUrl) || hasValue(extracted);
}

function typesOf(parts: readonly JsonObject[]): string[] {
	return eventTypes(parts).filter(isScalar).map(wordsOf);
}

/** All that may be the event's type. */
export function eventTypes(parts: readonly JsonObject[]): unknown[] {
	const named = fieldsOf(fieldsOf(parts, ['event']), ['name']);
	return [...fieldsOf(parts, EVENT_TYPE_FIELDS), ...named];
}

/** Innermost first, because an envelope may have its own status. */
export function statusesOf(parts: readonly JsonObject[]): Array<string | number> {
	return fieldsOf([...parts].reverse(), STATUS_FIELDS).filter(isScalar);
}

function isEndOfCall(type: string): boolean {
	return SUBJECT.test(type) && stageOf(type) === 'ended';
}

function stageOf(words: string): 'ended' | 'live' | undefined {
	const said = [words, withoutSubject(words)];
	if (said.some((each) => END_WORDS.has(each))) return 'ended';
	return said.some((each) => LIVE_WORDS.has(each)) ? 'live' : undefined;
}

/** "check call ended" → "ended"; "call transfer completed" stays "transfer completed". */
function withoutSubject(words: string): string {
	return words.replace(SUBJECT, '');
}

/** `NO_ANSWER`, `no-answer`, `noAnswer` → "no answer". */
function wordsOf(value: unknown): string {
	if (!isScalar(value) || String(value).length > 100) return '';
	const spaced = String(value).replace(/([a-z])([A-Z])/g, '$1 $2');
	return spaced
		.replace(/[^A-Za-z0-9]+/g, ' ')
		.trim()
		.toLowerCase();
}
