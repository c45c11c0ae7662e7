import type { ListName } from '../shared/columns/records';
import { idOf, type JsonObject } from '../shared/service/json';
import type { List } from '../shared/service/list';
import { timeOf } from '../shared/service/record';
import { hasOutcome, type PollEvent } from './events';
import { digestOf, type PollState, type Range } from './state';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** About how many records one poll delivers. The next polls deliver the rest. */
const CHUNK = 500;

/** As many rows are read at a time; a range with more is read in parts. */
const MAX_ROWS = 2000;

/** Shorter ranges aren't read in parts: all their rows are read, however many. */
const SHORTEST_MS = 10_000;

/** Ranges overlap by this: contract 4.9 doesn't say whether their ends are inclusive, or how precise. */
const EDGE_MS = 2000;

/**
 * How long an outcome must stay the same. n8n polls once a minute at most, and some milliseconds
 * earlier or later.
 */
const SAME_FOR_MS = 55_000;

/** A call that is older when it is first seen has ended, so its outcome no longer changes. */
const SETTLED_AFTER_MS = HOUR;

/** How often calls are looked for that are older than the overlap and have no outcome yet. */
const RECHECK_MS = HOUR;

/** Calls become due at a known time, so only clocks and the ends of ranges have to be allowed for. */
const DUE_OVERLAP_MS = 5 * MINUTE;

/** What a poll needs besides the state. Times are in milliseconds. */
export interface Polling {
	event: PollEvent;
	/** Reads the records between two times, up to a maximum. */
	read(range: Range, limit: number | undefined): Promise<List>;
	/** How far back every poll reads again: the service may list records late. */
	overlapMs: number;
	/** The age at which a call without an outcome is given up. */
	giveUpMs: number;
	/** When to stop and leave the rest to the next poll, by n8n's clock. */
	stopAt: number;
	/** The length of ranges that can be read in time; undefined if any can. */
	pace: { rangeMs?: number | undefined };
	/** Logs what an administrator should know but does not fail the poll. */
	warn(message: string): void;
}

interface Found {
	row: JsonObject;
	key: string;
	/** When it was created. They differ if the record doesn't say in which time zone. */
	earliest: number;
	latest: number;
}

/**
 * The new records, oldest first, up to about 500. The state advances only over ranges that were read
 * completely.
 *
 * @throws the error of reading, unless records were found before it
 */
export async function collect(state: PollState, polling: Polling): Promise<JsonObject[]> {
	const found: Found[] = [];
	await collectInto(found, state, polling).catch(async (error: unknown) => {
		// Delivers what was found. The next poll meets the same error and reports it.
		if (found.length === 0) await Promise.reject(error);
		polling.warn('Part of the list could not be read. The next poll continues from there.');
	});
	return found.sort(inOrder).map(({ row }) => row);
}

async function collectInto(found: Found[], state: PollState, polling: Polling): Promise<void> {
	const { isStarting } = state;
	let isUpToDate = await collectNew(found, state, polling);
	// After a change of filters, the start is the last poll's end.
	const isPast = state.readTo < endOfList(state.clockAheadMs, polling) - MINUTE;
	if (isStarting && isUpToDate && isPast) isUpToDate = await collectNew(found, state, polling);
	const hasTime = Date.now() <= polling.stopAt;
	if (isUpToDate && hasTime) await recheckWaiting(found, state, polling);
}

/** Where the list ends for the event, by the service's clock. */
export function endOfList(
	clockAheadMs: number,
	{ event, giveUpMs }: Pick<Polling, 'event' | 'giveUpMs'>,
): number {
	return Date.now() + clockAheadMs - (event.outcome === 'missing' ? giveUpMs : 0);
}

/** How far back the event's list is read again. */
export function overlapOf({ event, overlapMs }: Pick<Polling, 'event' | 'overlapMs'>): number {
	return event.outcome === 'missing' ? DUE_OVERLAP_MS : overlapMs;
}

/** Reads from where the last poll stopped, or else the overlap again. Returns whether it got to the end. */
async function collectNew(found: Found[], state: PollState, polling: Polling): Promise<boolean> {
	state.reading ??= nextRange(state, polling);
	const { reading, seen, waiting } = state;
	const isRead = await readRange(reading, found, state, polling, (record) => {
		// A call that was waited for with other filters is not old.
		const isOld = state.isStarting && !waiting.has(record.key);
		const isNew = !seen.has(record.key) && isDue(record, state, polling, isOld);
		if (isNew || seen.has(record.key)) seen.set(record.key, reading.to);
		if (isNew && !isOld) found.push(record);
	});
	if (!isRead) return false;
	// A clock that is wrong for a while must not move it beyond the end of the list, or back.
	const end = Math.min(reading.to, endOfList(state.clockAheadMs, polling));
	state.readTo = Math.max(state.readTo, end);
	state.reading = undefined;
	state.isStarting = false;
	return true;
}

function nextRange(state: PollState, polling: Polling): Range {
	const from = state.readTo - overlapOf(polling);
	// What was last listed before that is listed no more.
	for (const [key, time] of state.seen) if (time + MINUTE < from) state.seen.delete(key);
	return { from, to: Math.max(state.readTo, endOfList(state.clockAheadMs, polling)) };
}

/** Whether a record that was not delivered yet starts the workflow now. */
function isDue(
	{ row, key, earliest, latest }: Found,
	{ waiting, clockAheadMs, reading, readTo }: PollState,
	{ event, giveUpMs }: Polling,
	isOld = false,
): boolean {
	if (event.outcome === undefined) return true;
	// A service may return more than was asked for, such as a call in progress.
	if (event.outcome === 'missing') return latest <= (reading?.to ?? readTo) && !hasOutcome(row);
	const known = waiting.get(key);
	const call = { createdAt: known?.createdAt ?? earliest };
	if (!hasOutcome(row)) {
		waiting.set(key, call);
		return false;
	}
	const now = Date.now();
	const ageMs = now + clockAheadMs - (known?.createdAt ?? latest);
	const isOver = ageMs > (known ? giveUpMs : SETTLED_AFTER_MS);
	const digest = outcomeDigest(row);
	const since = known?.outcome?.digest === digest ? known.outcome.since : now;
	if (isOld || isOver || now - since >= SAME_FOR_MS) {
		waiting.delete(key);
		return true;
	}
	waiting.set(key, { ...call, outcome: { digest, since } });
	return false;
}

/** A recording's URL may be signed anew each time. */
function outcomeDigest({ summary, transcript, contentTags, recordingUrl }: JsonObject): string {
	return digestOf([summary, transcript, contentTags, Boolean(recordingUrl)], 6);
}

/** Looks for waiting calls that are older than the range that every poll reads. */
async function recheckWaiting(found: Found[], state: PollState, polling: Polling): Promise<void> {
	const { waiting, seen } = state;
	state.rechecking ??= rangeToRecheck(state, polling);
	if (state.rechecking === undefined) return;
	const isRead = await readRange(state.rechecking, found, state, polling, (record) => {
		if (!waiting.has(record.key) || !isDue(record, state, polling)) return;
		seen.set(record.key, state.readTo);
		found.push(record);
	});
	if (!isRead) return;
	state.rechecking = undefined;
	const tooOld = endOfList(state.clockAheadMs, polling) - polling.giveUpMs - RECHECK_MS;
	for (const [key, { createdAt }] of waiting) if (createdAt < tooOld) waiting.delete(key);
}

/** From the oldest call to look for up to the range that every poll reads; undefined if there is none now. */
function rangeToRecheck(state: PollState, polling: Polling): Range | undefined {
	const now = Date.now();
	const isTime = Math.abs(now - state.recheckedAt) >= RECHECK_MS;
	if (isTime) state.recheckedAt = now;
	const times = [...state.waiting.values()]
		.filter(({ outcome }) => isTime || outcome !== undefined)
		.map(({ createdAt }) => createdAt);
	const from = times.reduce((one, other) => Math.min(one, other), Infinity);
	const to = state.readTo - overlapOf(polling);
	return from < to ? { from, to } : undefined;
}

/**
 * Reads a range from its start, in parts with few enough rows: contract 4.9 doesn't define the order
 * of lists, so short ranges find the oldest records.
 *
 * @returns whether it got to the end; the range then is empty
 */
async function readRange(
	range: Range,
	found: Found[],
	state: PollState,
	polling: Polling,
	visit: (record: Found) => void,
): Promise<boolean> {
	const { pace } = polling;
	while (range.from < range.to) {
		const lengthMs = Math.max(SHORTEST_MS, pace.rangeMs ?? range.to - range.from);
		const to = Math.min(range.to, range.from + lengthMs);
		const part = { from: range.from - EDGE_MS, to };
		const isShortest = lengthMs === SHORTEST_MS;
		const rows = await readPart(part, isShortest, state, polling);
		if (rows === undefined) {
			pace.rangeMs = (to - range.from) / 4;
			continue;
		}
		for (const [key, row] of byKey(polling.event.list, rows)) {
			visit({ row, key, ...createdIn(part, row) });
		}
		if (rows.length < MAX_ROWS / 4 && pace.rangeMs !== undefined) pace.rangeMs = 4 * lengthMs;
		range.from = to;
		const isEnough = found.length >= CHUNK || Date.now() > polling.stopAt;
		if (isEnough && range.from < range.to) return false;
	}
	pace.rangeMs = undefined;
	return true;
}

/** All rows of a part, or undefined if it has to be shorter. @throws if it can't be */
async function readPart(
	part: Range,
	isShortest: boolean,
	state: PollState,
	polling: Polling,
): Promise<JsonObject[] | undefined> {
	const read = async (range: Range, limit?: number) => {
		const list = await polling.read(range, limit);
		if (list.servedAt !== undefined) state.clockAheadMs = list.servedAt - Date.now();
		return list;
	};
	const limit = isShortest ? undefined : MAX_ROWS;
	const { rows, complete } = await read(part, limit);
	if (limit !== undefined && rows.length >= limit) return undefined;
	if (complete) return rows;
	// The service's total may simply be wrong: then the two parts, with half the rows each, have no more.
	const middle = middleOf(part, rows);
	const halves = [
		await read({ from: part.from, to: middle }),
		await read({ from: middle - EDGE_MS, to: part.to }),
	];
	const known = new Set(byKey(polling.event.list, rows).map(([key]) => key));
	const isWhole = halves.every((each) =>
		byKey(polling.event.list, each.rows).every(([key]) => known.has(key)),
	);
	if (isWhole) return rows;
	if (!isShortest) return undefined;
	throw new Error(
		`The service returned ${rows.length} records created around ${new Date(part.to).toISOString()}, and others when asked again. The next poll reads them again. If this continues, ask the service operator why its list is incomplete.`,
	);
}

/** A time in a range between two of its rows, with about half of them on each side. */
function middleOf({ from, to }: Range, rows: JsonObject[]): number {
	const times = new Set(rows.flatMap((row) => timeOf(row)?.ms ?? []));
	const inside = [...times].filter((ms) => ms > from && ms < to).sort((one, other) => one - other);
	const half = Math.floor(inside.length / 2);
	return Math.floor(((inside[half - 1] ?? from) + (inside[half] ?? to)) / 2);
}

function createdIn({ from, to }: Range, row: JsonObject): Pick<Found, 'earliest' | 'latest'> {
	const time = timeOf(row);
	if (time?.toleranceMs !== 0) return { earliest: from, latest: to };
	return { earliest: time.ms, latest: time.ms };
}

/** What identifies a record without an ID, such as a bid (contract 2.5). The rest may be filled in later. */
const KEY_FIELDS: Record<ListName, readonly string[]> = {
	bids: ['loadId', 'callDateTime', 'phoneNumber', 'extension'],
	calls: ['createdAt', 'fromPhone', 'toPhone'],
	conversations: ['createdAt', 'fromPhone', 'emailFrom', 'emailSubject'],
};

/** The rows by what identifies them. Two bids on a load from one call are numbered. */
function byKey(list: ListName, rows: JsonObject[]): Array<[key: string, row: JsonObject]> {
	const counts = new Map<string, number>();
	return rows.map((row) => {
		const id = idOf(row);
		if (id !== undefined) return [String(id), row];
		const key = digestOf(KEY_FIELDS[list].map((name) => row[name] ?? null));
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		return [count === 1 ? key : `${key}.${count}`, row];
	});
}

function inOrder(one: Found, other: Found): number {
	const byTime = one.latest - other.latest;
	return byTime === 0 ? one.key.localeCompare(other.key, 'en', { numeric: true }) : byTime;
}
