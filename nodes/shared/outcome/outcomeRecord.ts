import type { IDataObject } from 'n8n-workflow';

import { eventParts, fieldsOf, firstScalar, isScalar, reportParts } from '../events/event';
import { isJsonObject, type JsonObject } from '../service/json';
import { readTime } from '../service/record';
import {
	callStage,
	ENDS,
	endOf,
	hasEnded,
	readOutcome,
	statusesOf,
	tagsIn,
	typesOf,
	wordsOf,
} from './callOutcome';
import type { End } from './callOutcome';
import {
	asksNotToBeCalled,
	endInReason,
	endInSummary,
	etaInSummary,
	readTranscript,
	saysSpokenWith,
} from './outcomeText';
import type { Heard } from './outcomeText';

/** How a call ended. `unknown`: nothing says that a person was reached, or that no one was. */
type CallResult = 'reached' | 'noAnswer' | 'voicemail' | 'failed' | 'canceled' | 'unknown';

export type MoreNames = Partial<Record<string, readonly string[]>>;

/** Names are compared without case, spaces and punctuation. */
const NAMES = {
	eta: 'eta, current eta, updated eta, new eta, driver eta, eta time, eta to next stop, estimated arrival, estimated arrival time, estimated time of arrival, expected arrival, expected arrival time',
	arrivedAt:
		'arrived at, arrival time, actual arrival, actual arrival time, arrival, arrived, checked in at, check in time, time of arrival',
	delayed: 'delayed, is delayed, late, is late, running late, delay, delay status, schedule status',
	onTime: 'on time, is on time, on schedule, on time status',
	delayMinutes:
		'delay minutes, delay in minutes, delay mins, minutes late, minutes delayed, late minutes, late by minutes, estimated delay minutes',
	delayHours: 'delay hours, delay in hours, hours late, hours delayed',
	delayTime:
		'delay, delay duration, delay time, delay length, delayed by, late by, estimated delay',
	delayReason:
		'delay reason, reason for delay, delay cause, cause of delay, late reason, reason late',
	offeredRate:
		'offered rate, rate offered, quoted rate, carrier rate, bid amount, bid rate, offer, offer amount, offer rate, bid, counter offer, quote, rate quoted',
	optOut:
		'opt out, opted out, do not call, dnc, asked not to be called, do not contact, stop calling, remove from list, unsubscribe',
	loadNumber: 'load number, load id',
	summary: 'summary, call summary',
	outcome:
		'call outcome, outcome, call disposition, disposition, call result, result, contact status, reach status',
	reached:
		'reached, driver reached, contact reached, person reached, carrier reached, answered, call answered, human answered, was answered',
	voicemail:
		'voicemail, is voicemail, in voicemail, left voicemail, voicemail left, voicemail detected, went to voicemail, reached voicemail, voicemail reached',
	wrongNumber: 'wrong number, is wrong number, invalid number',
	endReason:
		'ended reason, end reason, disconnection reason, disconnect reason, hangup reason, hangup cause, answered by',
};

type Name = keyof typeof NAMES;
type Fact = string | number | boolean;
type Facts = Partial<Record<Name, Fact>>;

const phrases = (list: string) => new Set(list.split(', '));

const OPT_OUT_TAGS = phrases(
	'do not call, dnc, opt out, opted out, optout, asked not to be called, do not contact, stop calling, remove from list, unsubscribe',
);
const LATE = phrases(
	'late, running late, delay, delayed, is delayed, behind schedule, running behind',
);
const ON_TIME = phrases(
	'on time, ontime, no delay, no delays, not delayed, not late, on schedule, early',
);

/** Tags and outcomes that only a call with a person has. */
const TALKED = phrases(
	'reached, driver reached, contact reached, answered, answered by human, human, human answered, spoke, spoke with driver, connected with driver, conversation, at facility, arrived, checked in, eta provided, eta confirmed, bid, offer, counter offer, rate negotiation, negotiation, rate offered, load inquiry, interested, not interested, callback requested, call back requested, confirmed',
);

/** A load can be rejected or declined as well. */
const AMBIGUOUS_TAGS = phrases('rejected, declined');

interface Said {
	facts: Facts;
	tags: readonly string[];
	report: readonly JsonObject[];
	summary: Fact | undefined;
	heard: Heard;
}

const PHONE_FIELDS = 'toPhone to_phone toNumber to_number phoneNumber phone_number'.split(' ');

/**
 * The outcome of a call: one record with the same columns everywhere. Null means that the call didn't
 * say it.
 * @param call an event as the trigger reads it, a listed call (contract 2.3), or a placed call's row
 */
export function outcomeRecord(call: JsonObject, more: MoreNames = {}): IDataObject {
	const parts = eventParts(call);
	const report = reportParts(call);
	const { summary, recordingUrl, transcript, extracted } = readOutcome(call);
	const facts = factsIn(extracted, report, more);
	const said: Said = {
		...{ facts, report, heard: readTranscript(transcript) },
		tags: tagsIn([...report, extracted]).map(wordsOf),
		summary: summary ?? facts.summary,
	};
	const stage = callStage(call);
	const minutes = delayMinutes(facts);
	const givenEta = timeText(facts.eta);
	const arrivedAt = timeText(facts.arrivedAt);
	const delayReason = reasonOf(facts.delayReason);
	const isFound = [givenEta, arrivedAt, delayReason, textOf(facts.offeredRate)].some(Boolean);
	const outcome = stage === 'live' ? 'unknown' : resultOf(said, isFound);
	// The call list has no extracted data (contract 2.3).
	const saidEta = outcome === 'reached' ? etaInSummary(String(said.summary ?? '')) : undefined;
	return {
		callId: textOf(firstScalar(parts, ['callId', 'call_id']) ?? firstScalar([call], ['id'])),
		loadNumber: loadOf(parts) ?? textOf(facts.loadNumber),
		phone: textOf(firstScalar(parts, PHONE_FIELDS)),
		outcome,
		optOut: optOutOf(said),
		eta: givenEta ?? saidEta ?? null,
		arrivedAt,
		delayed: delayedOf(said, minutes),
		delayMinutes: minutes,
		delayReason,
		offeredRate: amountOf(facts.offeredRate),
		summary: textOf(said.summary),
		recordingUrl: textOf(recordingUrl),
		endedAt: stage === 'ended' || hasEnded(call) ? endedAt(call, report) : null,
		extracted: extracted ? JSON.stringify(extracted) : null,
	};
}

const NOTHING =
	/^(n\/?a|none|null|nil|unknown|unclear|undefined|tbd|not (given|provided|mentioned|stated|available|known|discussed|applicable|sure)|-+|\?+)$/i;

/** How deep an agent may nest what it extracted. */
const MAX_DEPTH = 3;

/** The user's own names count first, and what was extracted before what the event says itself. */
function factsIn(extracted: unknown, report: readonly JsonObject[], more: MoreNames): Facts {
	const found = new Map<string, Fact>();
	collect(found, '', extracted, 0);
	for (const [name, value] of report.flatMap((part) => Object.entries(part))) {
		if (typeof value !== 'object') collect(found, name, value, 0);
	}
	const facts = Object.entries(NAMES).map(([name, usual]) => {
		const keys = [...(more[name] ?? []), ...usual.split(', ')].map(keyOf);
		return [name, keys.map((key) => found.get(key)).find((fact) => fact !== undefined)];
	});
	return Object.fromEntries(facts);
}

/** Adds what a value says to the facts: it may be nested, a list of names and values, or have a `value`. */
function collect(found: Map<string, Fact>, name: string, value: unknown, depth: number): void {
	if (depth > MAX_DEPTH) return;
	const collectInner = (inner: string, part: unknown) => collect(found, inner, part, depth + 1);
	if (Array.isArray(value)) {
		for (const entry of value.filter(isJsonObject)) {
			const named = firstScalar([entry], ['name', 'key', 'field', 'label', 'question']);
			if (named !== undefined) collectInner(String(named), entry.value ?? entry.answer);
		}
	} else if (isJsonObject(value)) {
		if ('value' in value) collectInner(name, value.value);
		for (const [inner, part] of Object.entries(value)) {
			collectInner(inner, part);
			if (name !== '') collectInner(`${name} ${inner}`, part);
		}
	} else if (typeof value === 'boolean' || isScalar(value)) {
		const fact = typeof value === 'string' ? value.trim() : value;
		const key = keyOf(name);
		if (!found.has(key) && !NOTHING.test(String(fact).slice(0, 50))) found.set(key, fact);
	}
}

function keyOf(name: string): string {
	return name
		.slice(0, 100)
		.toLowerCase()
		.replace(/[^a-z0-9]/g, '');
}

/** @param isFound whether there is what only a person can have said: an ETA, an arrival, a reason, a rate */
function resultOf(said: Said, isFound: boolean): CallResult {
	const { facts, tags, report, heard } = said;
	const tagged = [...tags, wordsOf(facts.outcome)].filter((tag) => !AMBIGUOUS_TAGS.has(tag));
	const ends = new Set([
		...[...statusesOf(report).map(wordsOf), ...typesOf(report), ...tagged].map(endOf),
		endInReason(wordsOf(facts.endReason)),
		yesNo(facts.voicemail) && 'voicemail',
		yesNo(facts.wrongNumber) && 'wrongNumber',
	]);
	const end = ENDS.find((each) => ends.has(each));
	if (end !== undefined) return asResult(end);

	const summary = typeof said.summary === 'string' ? said.summary : '';
	const isSpokenWith = heard.isSpokenWith || saysSpokenWith(summary);
	const inSummary = endInSummary(summary, heard.isSpokenWith);
	const isReached = yesNo(facts.reached);
	if (isReached === false) return asResult(inSummary ?? heard.end ?? 'noAnswer');
	if (inSummary !== undefined) return isSpokenWith ? 'unknown' : asResult(inSummary);

	// A tag about the schedule proves no conversation: tracking may have set it.
	const isProven = isFound || tags.some((tag) => TALKED.has(tag));
	if (heard.end !== undefined) return isProven ? 'unknown' : asResult(heard.end);
	if (heard.isSpokenWith) return 'reached';
	if (heard.isAgentOnly) return 'unknown';
	const isClaimed =
		// Some agents say so of every call.
		(isReached === true && !heard.hasSpeakers) ||
		optOutOf(said) === true ||
		[facts.outcome, facts.endReason].some((words) => TALKED.has(wordsOf(words)));
	return isProven || isClaimed || isSpokenWith ? 'reached' : 'unknown';
}

function asResult(end: End): CallResult {
	return end === 'wrongNumber' ? 'failed' : end;
}

/** An opt-out counts wherever it stands: a field of the agent that says no doesn't undo it. */
function optOutOf({ facts, tags, summary, heard }: Said): boolean | null {
	const isAsked =
		yesNo(facts.optOut) === true ||
		[...tags, wordsOf(facts.outcome)].some((tag) => OPT_OUT_TAGS.has(tag)) ||
		[facts.optOut, summary, ...heard.lines].some((text) => asksNotToBeCalled(String(text ?? '')));
	return isAsked || yesNo(facts.optOut);
}

function delayedOf({ facts, tags }: Said, minutes: number | null): boolean | null {
	const isLate = tags.some((tag) => LATE.has(tag));
	const isOnTime = tags.some((tag) => ON_TIME.has(tag));
	const tagged = isLate === isOnTime ? null : isLate;
	const amount = minutes ?? Number(facts.delayTime);
	return (
		delayIn(facts.delayed, true) ??
		delayIn(facts.onTime, false) ??
		(Number.isFinite(amount) ? amount > 0 : tagged)
	);
}

function delayIn(fact: Fact | undefined, yesIsLate: boolean): boolean | null {
	const words = wordsOf(fact);
	if (LATE.has(words)) return true;
	if (ON_TIME.has(words)) return false;
	const yes = yesNo(fact);
	return yes === null ? null : yes === yesIsLate;
}

const DURATION =
	/^(?:about |around |approximately |~ ?)?(?:(\d{1,3}(?:\.\d{1,2})?) ?h(?:(?:ou)?rs?)?)?,? ?(?:and )?(?:(\d{1,4}) ?m(?:in(?:ute)?s?)?)?(?: (?:late|behind|delay))?$/i;

/** Only what names its unit: "45 minutes", "1h 30m", `delayMinutes`. */
function delayMinutes(facts: Facts): number | null {
	const { delayMinutes: minutes, delayHours: hours } = facts;
	const counted = minutes === undefined ? Number(hours) * 60 : Number(minutes);
	if (Number.isFinite(counted)) return counted;
	const text = String(minutes ?? hours ?? facts.delayTime ?? '').slice(0, 50);
	const [, inHours, inMinutes] = DURATION.exec(text) ?? [];
	if (inHours === undefined && inMinutes === undefined) return null;
	return Math.round(Number(inHours ?? 0) * 60 + Number(inMinutes ?? 0));
}

function reasonOf(fact: Fact | undefined): string | null {
	return ON_TIME.has(wordsOf(fact)) || yesNo(fact) !== null ? null : textOf(fact);
}

/** As it was said ("3 PM"); a Unix time as ISO 8601 in UTC. */
function timeText(fact: Fact | undefined): string | null {
	if (yesNo(fact) !== null) return null;
	const isUnix = /^\d{10}(\d{3})?$/.test(String(fact));
	return isUnix ? isoTime(fact) : textOf(fact);
}

/** The number, if it is one amount: not a range, a rate per mile, a percentage or words. */
function amountOf(fact: Fact | undefined): number | null {
	const text = String(fact ?? '')
		.slice(0, 100)
		.replace(/(\d),(?=\d{3}\b)/g, '$1');
	const [number, ...others] = text.match(/\d+(\.\d+)?/g) ?? [];
	if (number === undefined || others.length > 0) return null;
	if (/-\s*\d|mile|\/\s*mi\b|rpm|%/i.test(text)) return null;
	return Number(number) * (/\d\s*k\b/i.test(text) ? 1000 : 1);
}

function yesNo(fact: Fact | undefined): boolean | null {
	const text = String(fact ?? '').slice(0, 50);
	if (/^(true|yes|y|1)(?=$|[,;!]|\.(?!\d))/i.test(text)) return true;
	return /^(false|no|n|0)(?=$|[,;!]|\.(?!\d))/i.test(text) ? false : null;
}

const LOAD_FIELDS = ['loadNumber', 'load_number', 'loadId', 'load_id'];
const GIVEN_FIELDS = ['metadata', 'dynamicVariables', 'dynamic_variables'];

/** The load of the event, of what was given when the call was placed, or of the listed call. */
function loadOf(parts: readonly JsonObject[]): string | null {
	const one = firstScalar([...parts, ...fieldsOf(parts, GIVEN_FIELDS)], LOAD_FIELDS);
	const lists = fieldsOf(parts, ['loadIds', 'load_ids', 'loads']).flat().filter(isScalar);
	return textOf(one ?? [...new Set(lists)].join(', '));
}

const END_TIMES = ['endedAt', 'ended_at', 'endTime', 'end_time', 'completedAt', 'completed_at'];

/** ISO 8601 in UTC. The list doesn't say when a call ended, only when it was created (contract 2.3). */
function endedAt(call: JsonObject, report: readonly JsonObject[]): string | null {
	const times = [...END_TIMES, 'timestamp', 'createdAt', 'created_at', 'receivedAt'];
	const own = [...reportParts(call.event), ...report];
	const values = times.flatMap((name) => fieldsOf(own, [name]));
	return values.map(isoTime).find((time) => time !== null) ?? null;
}

function isoTime(value: unknown): string | null {
	const time = readTime(value);
	return time ? new Date(time.ms).toISOString() : null;
}

function textOf(value: unknown): string | null {
	return isScalar(value) ? String(value).trim() : null;
}

export const OUTCOME_COLUMNS = Object.keys(outcomeRecord({}));
