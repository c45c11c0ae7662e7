import type { ListName } from '../shared/columns/records';
import { idOf, type JsonObject } from '../shared/service/json';
import type { List } from '../shared/service/pages';
import { timeOf } from '../shared/service/record';
import { EVENTS, hasOutcome, type PollEvent } from './events';
import type { PollSettings } from './form';
import { digestOf, readState, type PollState, type Range, type Reading } from './state';

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
/** How long an outcome must stay the same. n8n polls once a minute at most, and some milliseconds earlier or later. */
const SAME_FOR_MS = 55_000;
/** A call that is older when it is first seen has ended, so its outcome no longer changes. */
const SETTLED_AFTER_MS = HOUR;
/** How often calls are looked for that are older than the overlap and have no outcome yet. */
const RECHECK_MS = HOUR;

/** What this process knows of a node, besides what n8n stores. */
export interface NodeMemory {
	isPolling: boolean;
	/** When the service wants to be asked again, by n8n's clock. */
	busyUntil: number;
	/** The length of ranges that can be read in time; undefined if any can. */
	rangeMs?: number | undefined;
	/**
	 * The state after the last poll. With durable cursors, n8n 2.41 doesn't store the one of the poll
	 * at publishing (poll-trigger-executor.js); and what it stores belongs to the node's name.
	 */
	state?: string;
}

/** What a poll needs besides the state. Times are in milliseconds. */
export interface Polling {
	settings: Omit<PollSettings, 'output' | 'moreNames'>;
	credential: string;
	memory: NodeMemory;
	/** Reads the records between two times, up to a maximum. */
	read(range: Range, limit: number | undefined): Promise<List>;
	/** When to stop and leave the rest to the next poll, by n8n's clock. */
	stopAt: number;
	/** Logs what an administrator should know but does not fail the poll. */
	warn(message: string): void;
}

/** The state to continue from: the last poll's, or a fresh one for another event or credential. */
export async function resume(last: PollState | undefined, polling: Polling): Promise<PollState> {
	const { settings, credential, memory } = polling;
	const { overlapMs, lagMs, catchUpMs } = settings;
	const source = `${settings.event} ${credential}`;
	const view = JSON.stringify(settings.filters);
	if (last?.source !== source) {
		const clockAheadMs = await clockAhead(polling);
		const to = Date.now() + clockAheadMs - lagMs;
		const fresh = { source, view, clockAheadMs, recheckedAt: 0, seen: new Map() };
		const waiting = new Map();
		return { ...fresh, waiting, isStarting: true, ...readingFrom(to - overlapMs, to) };
	}
	const lastTo = last.reading?.to ?? last.readTo;
	const earliest = (aheadMs: number) => Date.now() + aheadMs - lagMs - catchUpMs;
	const isPause = (aheadMs: number) => lastTo < earliest(aheadMs) - overlapMs;
	// One of the clocks may have been set since.
	const clockAheadMs = isPause(last.clockAheadMs) ? await clockAhead(polling) : last.clockAheadMs;
	const from = earliest(clockAheadMs);
	if (last.view !== view) {
		// Other filters show records that were never seen: only what is new counts. n8n stores the state
		// only when an execution starts, so this process may know better how far the list was read.
		const known = readState(memory.state);
		const newer = known?.source === source && known.readTo > last.readTo ? known : last;
		const to = Math.max(newer.reading?.from ?? newer.readTo, from);
		const changed = { ...newer, view, clockAheadMs, isStarting: true, seen: new Map() };
		return { ...changed, ...readingFrom(to - overlapMs, to) };
	}
	if (!isPause(clockAheadMs)) return { ...last, clockAheadMs };
	// Old records must not arrive as new.
	polling.warn(
		`The list was last read up to ${isoTime(lastTo)}. Records from before ${isoTime(from)} are skipped; to include more, set the option "Catch Up After a Pause (Hours)".`,
	);
	return { ...last, clockAheadMs, isStarting: false, ...readingFrom(from, from + catchUpMs) };
}

function readingFrom(from: number, to: number): Pick<PollState, 'readTo' | 'reading'> {
	return { readTo: from, reading: { from, newFrom: from, to } };
}

/** How far the service's clock is ahead of n8n's, in milliseconds; 0 if it doesn't say. */
async function clockAhead({ read }: Polling): Promise<number> {
	const now = Date.now();
	const { servedAt } = await read({ from: now - HOUR, to: now }, 1);
	return servedAt === undefined ? 0 : servedAt - Date.now();
}

export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}

/**
 * The new records, oldest first, up to about 500. The state advances only over ranges that were read
 * completely.
 * @throws the error of reading, unless records were found before it
 */
export async function collect(state: PollState, polling: Polling): Promise<JsonObject[]> {
	const collector = new Collector(state, polling);
	const { found } = collector;
	await collector.readUpToNow().catch(async (error: unknown) => {
		// Delivers what was found. The next poll meets the same error and reports it.
		if (found.length === 0) await Promise.reject(error);
		polling.warn('Part of the list could not be read. The next poll continues from there.');
	});
	return found.sort(inOrder).map(({ row }) => row);
}

interface Found {
	row: JsonObject;
	key: string;
	/** When it was created. They differ if the record doesn't say in which time zone. */
	earliest: number;
	latest: number;
}

class Collector {
	readonly found: Found[] = [];
	private readonly event: PollEvent;

	constructor(
		private readonly state: PollState,
		private readonly polling: Polling,
	) {
		this.event = EVENTS[polling.settings.event];
	}

	/** Where the list ends for the event, by the service's clock. */
	private get end(): number {
		return Date.now() + this.state.clockAheadMs - this.polling.settings.lagMs;
	}

	async readUpToNow(): Promise<void> {
		const { isStarting } = this.state;
		const isUpToDate = await this.readOn();
		// After a change of filters, the start is the last poll's end.
		const isPast = this.state.readTo < this.end - MINUTE;
		if (isStarting && isUpToDate && isPast) await this.readOn();
	}

	/**
	 * Reads from where the last poll stopped, or else the overlap again, from its start, in parts with
	 * few enough rows: contract 4.9 doesn't define the order of lists, so short ranges find the oldest
	 * records. Returns whether it got to the end.
	 */
	private async readOn(): Promise<boolean> {
		const { state, polling } = this;
		const { memory, stopAt } = polling;
		state.reading ??= this.nextReading();
		const { reading } = state;
		while (reading.from < reading.to) {
			// No part has both new records and others.
			const most = reading.from < reading.newFrom ? reading.newFrom : reading.to;
			const lengthMs = Math.max(SHORTEST_MS, memory.rangeMs ?? most - reading.from);
			const to = Math.min(most, reading.from + lengthMs);
			const part = { from: reading.from - EDGE_MS, to };
			const rows = await this.readPart(part, lengthMs === SHORTEST_MS);
			if (rows === undefined) {
				memory.rangeMs = (to - reading.from) / 4;
				continue;
			}
			for (const [key, row] of byKey(this.event.list, rows)) {
				this.visit({ row, key, ...createdIn(part, row) }, reading);
			}
			if (rows.length < MAX_ROWS / 4 && memory.rangeMs !== undefined) memory.rangeMs = 4 * lengthMs;
			reading.from = to;
			const isEnough = this.found.length >= CHUNK || Date.now() > stopAt;
			if (isEnough && reading.from < reading.to) return false;
		}
		memory.rangeMs = undefined;
		// A clock that is wrong for a while must not move it beyond the end of the list, or back.
		state.readTo = Math.max(state.readTo, Math.min(reading.to, this.end));
		state.reading = undefined;
		state.isStarting = false;
		return true;
	}

	private nextReading(): Reading {
		const { state, polling } = this;
		const newFrom = state.readTo - polling.settings.overlapMs;
		// What was last listed before that is listed no more.
		for (const [key, minute] of state.seen) {
			if ((minute + 1) * MINUTE < newFrom) state.seen.delete(key);
		}
		const to = Math.max(state.readTo, this.end);
		return { from: Math.min(newFrom, this.oldestWaiting()), newFrom, to };
	}

	/** Of the calls to look for now: once an hour all, and else those whose outcome may still change. */
	private oldestWaiting(): number {
		const { state, polling } = this;
		const now = Date.now();
		const isTime = Math.abs(now - state.recheckedAt) >= RECHECK_MS;
		if (isTime) {
			// Those were looked for when they were older.
			const last = Math.min(now, state.recheckedAt) + state.clockAheadMs;
			for (const [key, { createdAt }] of state.waiting) {
				if (createdAt < last - polling.settings.giveUpMs) state.waiting.delete(key);
			}
			state.recheckedAt = now;
		}
		return [...state.waiting.values()]
			.filter(({ outcome }) => isTime || outcome !== undefined)
			.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), Infinity);
	}

	/** All rows of a part, or undefined if it has to be shorter. @throws if it can't be */
	private async readPart(part: Range, isShortest: boolean): Promise<JsonObject[] | undefined> {
		const limit = isShortest ? undefined : MAX_ROWS;
		const { rows, complete } = await this.read(part, limit);
		if (limit !== undefined && rows.length >= limit) return undefined;
		if (complete) return rows;
		// The service's total may simply be wrong: then the two parts, with half the rows each, have no more.
		const middle = middleOf(part, rows);
		const halves = [
			await this.read({ from: part.from, to: middle }),
			await this.read({ from: middle - EDGE_MS, to: part.to }),
		];
		const known = new Set(byKey(this.event.list, rows).map(([key]) => key));
		const isWhole = halves.every((each) =>
			byKey(this.event.list, each.rows).every(([key]) => known.has(key)),
		);
		if (isWhole) return rows;
		if (!isShortest) return undefined;
		throw new Error(
			`The service returned ${rows.length} records created around ${isoTime(part.to)}, and others when asked again. The next poll reads them again. If this continues, ask the service operator why its list is incomplete.`,
		);
	}

	private async read(range: Range, limit?: number): Promise<List> {
		const list = await this.polling.read(range, limit);
		if (list.servedAt !== undefined) this.state.clockAheadMs = list.servedAt - Date.now();
		return list;
	}

	private visit(record: Found, reading: Reading): void {
		const { seen, waiting, isStarting } = this.state;
		const { key } = record;
		const isSeen = seen.has(key);
		if (reading.from < reading.newFrom && !waiting.has(key)) return;
		// A call that was waited for with other filters is not old.
		const isOld = isStarting && !waiting.has(key);
		if (!isSeen && !this.isDue(record, reading, isOld)) return;
		seen.set(key, Math.floor(reading.to / MINUTE));
		if (!isSeen && !isOld) this.found.push(record);
	}

	/** Whether a record that was not delivered yet starts the workflow now. */
	private isDue({ row, key, earliest, latest }: Found, { to }: Range, isOld: boolean): boolean {
		const { waiting, clockAheadMs } = this.state;
		const { outcome } = this.event;
		if (outcome === undefined) return true;
		// A service may return more than was asked for, such as a call in progress.
		if (outcome === 'missing') return latest <= to && !hasOutcome(row);
		const known = waiting.get(key);
		const call = { createdAt: known?.createdAt ?? earliest };
		if (!hasOutcome(row)) {
			waiting.set(key, call);
			return false;
		}
		const now = Date.now();
		const ageMs = now + clockAheadMs - (known?.createdAt ?? latest);
		const isOver = ageMs > (known ? this.polling.settings.giveUpMs : SETTLED_AFTER_MS);
		const digest = outcomeDigest(row);
		const since = known?.outcome?.digest === digest ? known.outcome.since : now;
		if (isOld || isOver || now - since >= SAME_FOR_MS) {
			waiting.delete(key);
			return true;
		}
		waiting.set(key, { ...call, outcome: { digest, since } });
		return false;
	}
}

/** A recording's URL may be signed anew each time. */
function outcomeDigest({ summary, transcript, contentTags, recordingUrl }: JsonObject): string {
	return digestOf([summary, transcript, contentTags, Boolean(recordingUrl)], 6);
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
	if (time?.toleranceMs === 0) return { earliest: time.ms, latest: time.ms };
	return { earliest: from, latest: to };
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
