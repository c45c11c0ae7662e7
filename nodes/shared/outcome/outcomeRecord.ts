import type { IDataObject } from 'n8n-workflow';

import { eventParts, fieldsOf, firstScalar, isScalar, reportParts } from '../events/event';
import { isJsonObject, type JsonObject } from '../service/json';
import { readTime } from '../service/record';
import {
	callStage,
	type End,
	endOf,
	hasEnded,
	LONGEST_TAGS,
	readOutcome,
	statusesOf,
	TAG_FIELDS,
	typesOf,
	wordsOf,
} from './callOutcome';
import {
	asksNotToBeCalled,
	endInSummary,
	etaInSummary,
	type Heard,
	readTranscript,
	saysSpokenWith,
} from './outcomeText';

/** How a call ended. `unknown`: nothing says that a person was reached, or that no one was. */
export type CallResult = 'reached' | 'noAnswer' | 'voicemail' | 'failed' | 'canceled' | 'unknown';

/** The columns of Output: Outcome. */
export const OUTCOME_COLUMNS = [
	...([
		'callId',
		'loadNumber',
		'phone',
		'outcome',
		'optOut',
		'eta',
		'arrivedAt',
		'delayed',
	] as const),
	...(['delayMinutes', 'delayReason', 'offeredRate', 'summary', 'recordingUrl'] as const),
	...(['endedAt', 'extracted'] as const),
];

/** Columns that agents name in their own ways. */
export const NAMED_COLUMNS = [
	...(['arrivedAt', 'delayed', 'delayMinutes', 'delayReason', 'eta', 'loadNumber'] as const),
	...(['offeredRate', 'optOut', 'outcome', 'summary'] as const),
];

/** Other names under which an agent extracts a column. */
export type MoreNames = Partial<Record<(typeof NAMED_COLUMNS)[number], readonly string[]>>;

/** More names from a run's stored data. */
export function readMoreNames(value: unknown): MoreNames {
	if (!isJsonObject(value)) return {};
	const lists = NAMED_COLUMNS.map((column) => [column, [value[column]].flat().filter(isScalar)]);
	return Object.fromEntries(lists);
}

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

const OPT_OUT_TAGS = new Set(
	'do not call, dnc, opt out, opted out, optout, asked not to be called, do not contact, stop calling, remove from list, unsubscribe'.split(
		', ',
	),
);
const LATE = new Set(
	'late, running late, delay, delayed, is delayed, behind schedule, running behind'.split(', '),
);
const ON_TIME = new Set(
	'on time, ontime, no delay, no delays, not delayed, not late, on schedule, early'.split(', '),
);

/** Tags and outcomes that only a call with a person has. */
const TALKED = new Set(
	[
		'reached, driver reached, contact reached, answered, answered by human, human, human answered, spoke, spoke with driver, connected with driver, conversation',
		'at facility, arrived, checked in, eta provided, eta confirmed, bid, offer, counter offer, rate negotiation, negotiation, rate offered, load inquiry, interested, not interested, callback requested, call back requested, confirmed',
	].flatMap((line) => line.split(', ')),
);

/** A load can be rejected or declined as well. */
const AMBIGUOUS_TAGS = new Set(['rejected', 'declined']);

/**
 * The outcome of a call: one record with the same columns everywhere. Null means that the call didn't
 * say it.
 *
 * @param call an event as the trigger reads it, a listed call (contract 2.3), or a placed call's row
 */
export function outcomeRecord(call: JsonObject, more: MoreNames = {}): IDataObject {
	const parts = eventParts(call);
	const report = reportParts(call);
	const { summary, recordingUrl, transcript, extracted } = readOutcome(call);
	const facts = factsIn([extracted, ...report], more);
	const tags = tagsIn([...report, extracted]);
	const first = (...names: string[]) => firstScalar(parts, names);
	const said: Said = {
		facts,
		tags,
		report,
		heard: readTranscript(transcript),
		summary: summary ?? facts.get('summary'),
	};
	const stage = callStage(call);
	const minutes = delayMinutes(facts);
	const columns = {
		eta: timeText(facts.get('eta')),
		arrivedAt: timeText(facts.get('arrivedAt')),
		delayReason: reasonOf(facts.get('delayReason')),
		offeredRate: amountOf(facts.get('offeredRate')),
	};
	const callId = first('callId', 'call_id') ?? firstScalar([call], ['id']);
	const phone = first(
		'toPhone',
		'to_phone',
		'toNumber',
		'to_number',
		'phoneNumber',
		'phone_number',
	);
	const given = [...Object.values(columns), textOf(facts.get('offeredRate'))];
	const outcome = stage === 'live' ? 'unknown' : resultOf(said, given);
	// The call list has no extracted data (contract 2.3).
	const saidEta = outcome === 'reached' ? etaInSummary(String(said.summary ?? '')) : undefined;
	return {
		callId: textOf(callId),
		loadNumber: loadOf(parts) ?? textOf(facts.get('loadNumber')),
		phone: textOf(phone),
		outcome,
		optOut: optOutOf(said),
		eta: columns.eta ?? saidEta ?? null,
		arrivedAt: columns.arrivedAt,
		delayed: delayedOf(said, minutes),
		delayMinutes: minutes,
		delayReason: columns.delayReason,
		offeredRate: columns.offeredRate,
		summary: textOf(said.summary),
		recordingUrl: textOf(recordingUrl),
		endedAt: stage === 'ended' || hasEnded(call) ? endedAt(call, report) : null,
		extracted: extracted ? JSON.stringify(extracted) : null,
	};
}

type Fact = string | number | boolean;

/** What is known of a call. */
interface Said {
	facts: ReadonlyMap<string, Fact>;
	tags: readonly string[];
	report: readonly JsonObject[];
	summary: Fact | undefined;
	heard: Heard;
}

const NOTHING =
	/^(n\/?a|none|null|nil|unknown|unclear|undefined|tbd|not (given|provided|mentioned|stated|available|known|discussed|applicable|sure)|-+|\?+)$/i;

/** How deep an agent may nest what it extracted. */
const MAX_DEPTH = 3;

/** What agents extracted, by the names above: the user's own names first. */
function factsIn(sources: unknown[], more: MoreNames): Map<string, Fact> {
	const found = new Map<string, Fact>();
	const [extracted, ...report] = sources;
	collect(found, '', extracted, 0);
	for (const part of report.filter(isJsonObject)) {
		for (const [name, value] of Object.entries(part)) {
			if (typeof value !== 'object') collect(found, name, value, 0);
		}
	}
	const facts = new Map<string, Fact>();
	for (const [name, usual] of Object.entries(NAMES)) {
		const own = Object.entries(more).find(([column]) => column === name)?.[1] ?? [];
		const keys = [...own, ...usual.split(', ')].map(keyOf);
		const fact = keys.map((key) => found.get(key)).find((value) => value !== undefined);
		if (fact !== undefined) facts.set(name, fact);
	}
	return facts;
}

/** Adds what a value says to the facts: it may be nested, a list of names and values, or have a `value`. */
function collect(found: Map<string, Fact>, name: string, value: unknown, depth: number): void {
	if (depth > MAX_DEPTH) return;
	if (Array.isArray(value)) {
		for (const entry of value.filter(isJsonObject)) {
			const named = firstScalar([entry], ['name', 'key', 'field', 'label', 'question']);
			if (named !== undefined)
				collect(found, String(named), entry.value ?? entry.answer, depth + 1);
		}
	} else if (isJsonObject(value)) {
		if ('value' in value) collect(found, name, value.value, depth + 1);
		for (const [inner, part] of Object.entries(value)) {
			collect(found, inner, part, depth + 1);
			if (name !== '') collect(found, `${name} ${inner}`, part, depth + 1);
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

function tagsIn(holders: unknown[]): string[] {
	const lists = fieldsOf(holders, TAG_FIELDS).flat().filter(isScalar);
	return lists.flatMap((tag) =>
		String(tag)
			.slice(0, LONGEST_TAGS)
			.split(/[,;|\n]/)
			.map(wordsOf),
	);
}

/** The most telling end first: a failed call to a voicemail box is one to a voicemail box. */
const TELLING: readonly End[] = ['wrongNumber', 'voicemail', 'noAnswer', 'canceled', 'failed'];

/** @param found what only a person can have said: an ETA, an arrival, a reason, a rate */
function resultOf(said: Said, found: unknown[]): CallResult {
	const { facts, tags, summary: written, heard } = said;
	const ends = endsOf(said);
	const end = TELLING.find((each) => ends.includes(each));
	if (end !== undefined) return asResult(end);

	const summary = typeof written === 'string' ? written : '';
	const spokenWith = heard.isSpokenWith || saysSpokenWith(summary);
	const inSummary = endInSummary(summary, heard.isSpokenWith);
	if (yesNo(facts.get('reached')) === false) return asResult(inSummary ?? heard.end ?? 'noAnswer');
	if (inSummary !== undefined) return spokenWith ? 'unknown' : asResult(inSummary);

	// A tag about the schedule proves no conversation: tracking may have set it.
	const isTagged = tags.some((tag) => TALKED.has(tag));
	const isFound = found.some((value) => value !== null);
	if (heard.end !== undefined) return isTagged || isFound ? 'unknown' : asResult(heard.end);
	if (heard.isSpokenWith) return 'reached';
	if (heard.isAgentOnly) return 'unknown';
	const isClaimed =
		// Some agents say so of every call.
		(yesNo(facts.get('reached')) === true && !heard.hasSpeakers) ||
		optOutOf(said) === true ||
		['outcome', 'endReason'].some((name) => TALKED.has(wordsOf(facts.get(name))));
	return isTagged || isFound || isClaimed || spokenWith ? 'reached' : 'unknown';
}

function asResult(end: End): CallResult {
	return end === 'wrongNumber' ? 'failed' : end;
}

/** All that statuses, event types, tags and the agent's own fields say about a call that reached no one. */
function endsOf({ facts, tags, report }: Said): Array<End | undefined> {
	const is = (name: Name) => yesNo(facts.get(name));
	const tagged = [...tags, wordsOf(facts.get('outcome'))];
	return [
		...[...statusesOf(report).map(wordsOf), ...typesOf(report)].map(endOf),
		...tagged.filter((tag) => !AMBIGUOUS_TAGS.has(tag)).map(endOf),
		endInReason(wordsOf(facts.get('endReason'))),
		...(is('voicemail') === true ? (['voicemail'] as const) : []),
		...(is('wrongNumber') === true ? (['wrongNumber'] as const) : []),
	];
}

/** Why the line was disconnected, in a phone system's words: "customer did not answer", "machine start". */
function endInReason(reason: string): End | undefined {
	if (/\b(voicemail|voice mail|machine)\b/.test(reason)) return 'voicemail';
	if (/\b(wrong|invalid|unallocated) (number|destination)\b|\bnot in service\b/.test(reason))
		return 'wrongNumber';
	if (/\b(no ?answer|not answer(ed)?|unanswered|busy|rejected|declined)\b/.test(reason)) {
		return 'noAnswer';
	}
	if (/\bcancell?ed\b/.test(reason)) return 'canceled';
	return /\b(failed|failure|error)\b/.test(reason) ? 'failed' : undefined;
}

/** An opt-out counts wherever it stands: a field of the agent that says no doesn't undo it. */
function optOutOf({ facts, tags, summary, heard }: Said): boolean | null {
	const fact = facts.get('optOut');
	const isAsked =
		yesNo(fact) === true ||
		asksNotToBeCalled(String(fact ?? '')) ||
		tags.some((tag) => OPT_OUT_TAGS.has(tag)) ||
		OPT_OUT_TAGS.has(wordsOf(facts.get('outcome'))) ||
		asksNotToBeCalled(String(summary ?? '')) ||
		heard.lines.some(asksNotToBeCalled);
	return isAsked || yesNo(fact);
}

function delayedOf({ facts, tags }: Said, minutes: number | null): boolean | null {
	const isLate = tags.some((tag) => LATE.has(tag));
	const isOnTime = tags.some((tag) => ON_TIME.has(tag));
	const tagged = isLate === isOnTime ? null : isLate;
	const amount = minutes ?? Number(facts.get('delayTime'));
	return (
		delayIn(facts.get('delayed'), true) ??
		delayIn(facts.get('onTime'), false) ??
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
function delayMinutes(facts: ReadonlyMap<string, Fact>): number | null {
	const [minutes, hours] = [facts.get('delayMinutes'), facts.get('delayHours')];
	if (minutes !== undefined && Number.isFinite(Number(minutes))) return Number(minutes);
	if (hours !== undefined && Number.isFinite(Number(hours))) return Number(hours) * 60;
	const text = String(minutes ?? hours ?? facts.get('delayTime') ?? '').slice(0, 50);
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
