import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isScalar } from '../../shared/events/event';
import { hasEnded } from '../../shared/outcome/callOutcome';
import { pause } from '../../shared/service/cancellation';
import type { ServiceClient } from '../../shared/service/client';
import type { ListQuery } from '../../shared/service/contract';
import { ServiceFailure } from '../../shared/service/failure';
import type { JsonObject } from '../../shared/service/json';
import { loadKey, loadsIn, timeOf } from '../../shared/service/record';
import { timestamp } from '../fields/timeRange';
import { CallProblem } from './callErrors';
import { lastDigits, matchNumber, type Match } from './phone';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How far the service's clock may be ahead: its newest calls are in the future here. */
const AHEAD_MS = 5 * MINUTE_MS;

/** The list may show a call late: what was read before is read again as far back as this. */
const LATE_MS = 10 * MINUTE_MS;

/** A call that was listed even later is seen at the next whole reading. */
const WHOLE_AGAIN_MS = 15 * MINUTE_MS;

/** A reading that began this long before a question still answers it. */
const FRESH_MS = 1000;

/** What is kept: more calls, or earlier ones, take too much memory, and are read each time. */
export const MAX_KEPT = 50_000;
const KEPT_MS = DAY_MS + LATE_MS;

/** Calls that nobody asked about for this long are forgotten, when anyone asks about any list again. */
const UNUSED_MS = 30 * MINUTE_MS;

/** Around the time at which a call was placed, its listed time can lie. */
const CLOCK_MARGIN_MS = 5 * MINUTE_MS;

/** Around a time that the list itself has shown. */
const LISTED_MARGIN_MS = 2000;

/** A call's outcome is looked up this soon at first, then less and less often. */
const FIRST_LOOK_MS = 2000;
const LOOKS_PER_AGE = 3;

/**
 * The service's list of calls, the memory that everyone shares. It has no filter by number, so it is
 * read once for all who ask in this process, and then only its newest part.
 */
export class CallList {
	private calls = new Map<string, RecentCall>();
	/** Since when calls are known, and when the last reading and the last whole one began (Unix ms). */
	private coveredFrom = Number.POSITIVE_INFINITY;
	private readAt = Number.NEGATIVE_INFINITY;
	private wholeAt = Number.NEGATIVE_INFINITY;
	private newest = 0;
	/** Whether all times have a zone. If not, only a reading of the asked range says what is in it. */
	private isExact = true;
	/** How far back questions went since the last whole reading, and before it. */
	private spanMs = 0;
	private earlierSpanMs = 0;
	private reading: Promise<unknown> = Promise.resolve();
	private usedAt = Date.now();
	/** Whether it has so many calls that none are kept. */
	isTooLong = false;
	private readonly waits = new Set<Wait>();
	private watching: Promise<void> | undefined;
	private readonly looks = new Set<Look>();
	private looking: Promise<void> | undefined;
	/** Until when (Unix milliseconds) the service asked not to look for calls. */
	private pausedUntil = 0;

	/** The list of a client's organization. Another base URL or token is another list. */
	static of(client: ServiceClient): CallList {
		const now = Date.now();
		for (const [account, list] of callLists) {
			if (now - list.usedAt > UNUSED_MS && list.waits.size === 0) callLists.delete(account);
		}
		const list = callLists.get(client.account) ?? new CallList();
		callLists.set(client.account, list);
		list.usedAt = now;
		return list;
	}

	/**
	 * The calls since a time (Unix milliseconds) that may have gone to a number, also those that were
	 * listed a second ago.
	 *
	 * @throws CallProblem if the list can't be read to its end; ServiceFailure
	 */
	async recentTo(
		client: ServiceClient,
		{ phone, since, isLate = false, orElse }: RecentCalls,
	): Promise<RecentCall[]> {
		const readAfter = Date.now() - (isLate ? 0 : FRESH_MS);
		const digits = lastDigits(phone);
		const found = await this.alone(async () => {
			if (!(await this.refresh(client, since, readAfter))) return undefined;
			// A number that can't be read may be any. An index by number would take as much memory again.
			const recent = [...this.calls.values()].filter(
				(call) => (call.digits === digits || call.digits === '') && latestOf(call) >= since,
			);
			this.forgetExcess();
			return recent;
		});
		if (found !== undefined) return found;
		throw new CallProblem(
			'The call list could not be read to its end, so an earlier call cannot be ruled out',
			`Run this item again, or ${orElse}`,
		);
	}

	/**
	 * Shows each listed call of a range, some of them twice, and some of other times: those who look at
	 * the same time share one reading. Looks after some milliseconds, or before if others do. Returns
	 * whether the list was read to its end.
	 *
	 * @throws ServiceFailure
	 */
	async look(
		client: ServiceClient,
		{ range, visit, afterMs, signal }: LookSettings,
	): Promise<boolean> {
		const look = new Look(client, range, visit);
		this.looks.add(look);
		try {
			await atMost(afterMs, look.complete, signal);
			// A reading that is under way began before.
			while (!look.isOver) {
				this.looking ??= this.readFor(this.looks).finally(() => (this.looking = undefined));
				await atMost(DAY_MS, this.looking, signal);
			}
			return await look.complete;
		} finally {
			this.looks.delete(look);
		}
	}

	/** The listed call of a row, once it has ended; undefined at the deadline (Unix milliseconds). */
	async ended(
		client: ServiceClient,
		row: IDataObject,
		settings: { deadline: number; longestPauseMs: number; signal: AbortSignal | undefined },
	): Promise<WaitEnd> {
		const wait = new Wait(client, row, settings.longestPauseMs);
		this.waits.add(wait);
		this.watching ??= this.watch();
		try {
			for (let left = 1; left > 0 && !wait.isOver; ) {
				left = settings.deadline - Date.now();
				// Timers can't be longer than 24 days.
				const time = Math.min(Math.max(left, 0), DAY_MS);
				await atMost(time, wait.over, settings.signal);
			}
			return { listed: wait.listed, problem: wait.problem };
		} finally {
			this.waits.delete(wait);
		}
	}

	/** Returns whether the list was read to its end. */
	private async refresh(client: ServiceClient, since: number, readAfter: number) {
		const now = Date.now();
		const isWhole =
			since < this.coveredFrom || now - this.wholeAt > WHOLE_AGAIN_MS || !this.isExact;
		if (!isWhole && this.readAt > readAfter) return true;
		this.spanMs = this.isExact ? Math.max(this.spanMs, now - since) : now - since;
		// By the service's clock, which may be behind; its newest call says how far.
		const newest = this.newest > 0 ? this.newest : this.readAt - CLOCK_MARGIN_MS;
		const from = isWhole ? now - this.spanMs : Math.min(this.readAt, newest) - LATE_MS;
		const read: RecentCall[] = [];
		const { complete } = await listed(client, { from, until: now + AHEAD_MS }, (call) => {
			read.push(recentCallOf(call));
		});
		if (!complete) {
			this.forget();
			return false;
		}
		if (isWhole) {
			this.forget();
			[this.wholeAt, this.coveredFrom] = [now, from];
			[this.earlierSpanMs, this.spanMs] = [this.spanMs, now - since];
		}
		for (const call of read) this.keep(call);
		this.isExact = read.every(({ isExact }) => isExact);
		this.readAt = now;
		this.forgetBefore(now - Math.max(this.spanMs, this.earlierSpanMs));
		return true;
	}

	/** What was asked for is answered, but need not be kept. */
	private forgetExcess(): void {
		this.spanMs = Math.min(this.spanMs, KEPT_MS);
		this.earlierSpanMs = Math.min(this.earlierSpanMs, KEPT_MS);
		this.forgetBefore(Date.now() - KEPT_MS);
		this.isTooLong = this.calls.size > MAX_KEPT;
		if (this.isTooLong) this.forget();
	}

	private keep(call: RecentCall): void {
		this.calls.set(call.key, call);
		this.newest = Math.max(this.newest, call.placedAt ?? 0);
	}

	private forgetBefore(time: number): void {
		if (this.coveredFrom >= time) return;
		this.coveredFrom = time;
		for (const call of this.calls.values()) {
			if (latestOf(call) < time) this.calls.delete(call.key);
		}
	}

	private forget(): void {
		this.calls = new Map();
		this.coveredFrom = Number.POSITIVE_INFINITY;
		this.newest = 0;
	}

	/** Who asks while the list is read waits for that reading. */
	private async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		const mine = this.reading.then(work, work);
		this.reading = mine.catch(() => {});
		return await mine;
	}

	/** Looks for the calls of all waits together until there is none. */
	private async watch(): Promise<void> {
		while (this.waits.size > 0) {
			const now = Date.now();
			const first = Math.min(...[...this.waits].map((wait) => wait.dueAt));
			const due = Math.max(first, this.pausedUntil);
			// A wait that begins meanwhile may be due earlier.
			if (due > now) await pause(Math.min(due - now, FIRST_LOOK_MS), undefined);
			else await this.readFor(this.waits);
		}
		this.watching = undefined;
	}

	/** One reading for all of them. */
	private async readFor<Each extends Wait | Look>(lookers: Set<Each>): Promise<void> {
		const open = [...lookers];
		const [first] = open;
		if (first === undefined) return;
		const now = Date.now();
		const ranges = open.map((wait) => wait.range);
		const range = {
			from: Math.min(...ranges.map(({ from }) => from)),
			until: Math.max(...ranges.map(({ until }) => until)),
		};
		for (const each of open) each.isSeen = false;
		try {
			const { complete } = await listed(first.client, range, (call) => {
				for (const each of open) each.see(call);
				return open.every(({ isSeen }) => isSeen);
			});
			for (const each of open) each.lookedAt(now, { complete });
		} catch (error) {
			const { kind, retryAfterMs = 0 } = error instanceof ServiceFailure ? error.details : {};
			this.pausedUntil = Math.max(this.pausedUntil, Date.now() + retryAfterMs);
			// Only the execution that was stopped ends; the others go on with their own connection.
			if (kind === 'cancelled') lookers.delete(first);
			else for (const each of open) each.lookedAt(now, { error });
		}
	}
}

/** By organization, for all executions of this process. */
export const callLists = new Map<string, CallList>();

/** Which calls to look for. */
interface RecentCalls {
	phone: string;
	/** Unix milliseconds. */
	since: number;
	/** Whether calls that were listed right now count, because this one had to wait. */
	isLate?: boolean;
	/** What the user can do instead if the list can't be read to its end: half a sentence. */
	orElse: string;
}

/** What is kept of each of up to 50,000 listed calls, to know later whom it called about what. */
export interface RecentCall {
	/** Its ID, or its content. */
	key: string;
	id: string | undefined;
	/** The same as the service writes it. */
	callId: JsonObject[string];
	toPhone: unknown;
	/** The number's last digits; empty if they can't be read. */
	digits: string;
	/** The keys of its loads, and as the service writes them. */
	loads: string[];
	loadText: string;
	dotNumber: number | undefined;
	createdAt: unknown;
	/** When it was placed (Unix milliseconds), if that can be read; without a zone, as if in UTC. */
	placedAt: number | undefined;
	/** Whether that time has a zone. If not, it may be any time of the range that was read. */
	isExact: boolean;
	contentTags: string;
	status: JsonObject[string];
	isEnded: boolean;
}

function latestOf({ isExact, placedAt }: RecentCall): number {
	return isExact && placedAt !== undefined ? placedAt : Number.POSITIVE_INFINITY;
}

function recentCallOf(call: JsonObject): RecentCall {
	const time = timeOf(call);
	const id = callIdOf(call);
	return {
		key: id ?? JSON.stringify([call.toPhone, call.createdAt, call.loadIds]),
		id,
		callId: call.id,
		toPhone: call.toPhone,
		digits: lastDigits(call.toPhone) ?? '',
		// A copy takes no more than it needs.
		loads: loadsOf(call).slice(),
		loadText: loadText(call),
		dotNumber: dotNumberOf(call),
		createdAt: call.createdAt,
		placedAt: time?.ms,
		isExact: time?.toleranceMs === 0,
		contentTags: [call.contentTags].flat().filter(isScalar).join().slice(0, 100),
		status: call.status,
		isEnded: hasEnded(call),
	};
}

/** The carrier that a listed call was about, if it says so. */
function dotNumberOf(call: JsonObject): number | undefined {
	const dotNumber = Number(call.dotNumber);
	return Number.isSafeInteger(dotNumber) && dotNumber > 0 ? dotNumber : undefined;
}

interface WaitEnd {
	listed: JsonObject | undefined;
	/** Why the list couldn't be read the last time, if it couldn't. */
	problem: string | undefined;
}

/** Waits for a task, at most so many milliseconds. @throws ServiceFailure when the user presses Stop */
async function atMost(ms: number, task: Promise<unknown>, stop: AbortSignal | undefined) {
	const over = new AbortController();
	const signals = [over.signal, stop].filter((each) => each !== undefined);
	try {
		await Promise.race([task, pause(ms, AbortSignal.any(signals))]);
	} finally {
		over.abort();
	}
}

/** Whether a reading was complete, or why it failed. */
type Reading = { complete: boolean } | { error: unknown };

interface LookSettings {
	/** Unix milliseconds. */
	range: { from: number; until: number };
	visit: (call: JsonObject) => unknown;
	afterMs: number;
	signal: AbortSignal | undefined;
}

/** One look at a part of the list. */
class Look {
	readonly complete: Promise<boolean>;
	isOver = false;
	isSeen = false;
	private end: (reading: Reading) => void = () => {};

	constructor(
		readonly client: ServiceClient,
		readonly range: LookSettings['range'],
		readonly see: LookSettings['visit'],
	) {
		this.complete = new Promise((resolve, reject) => {
			this.end = (reading) =>
				'error' in reading ? reject(reading.error) : resolve(reading.complete);
		});
	}

	lookedAt(_now: number, reading: Reading): void {
		this.isOver = true;
		this.end(reading);
	}
}

/** An execution that waits until the list shows how its call ended. */
class Wait {
	readonly over: Promise<void>;
	isOver = false;
	listed: JsonObject | undefined;
	/** Whether the last look has found it. */
	isSeen = false;
	problem: string | undefined;
	dueAt: number;
	private readonly since = Date.now();
	private readonly placedAt: number;
	private end = () => {};

	constructor(
		readonly client: ServiceClient,
		private readonly row: IDataObject,
		private readonly longestPauseMs: number,
	) {
		this.over = new Promise((resolve) => {
			this.end = resolve;
		});
		this.dueAt = this.since + Math.min(FIRST_LOOK_MS, longestPauseMs);
		this.placedAt = timeOf(row)?.ms ?? this.since;
	}

	/** Where to look: around the time at which it was listed before. */
	get range(): { from: number; until: number } {
		const time = this.isSeen && this.listed ? timeOf(this.listed) : undefined;
		if (time) return { from: time.ms - LISTED_MARGIN_MS, until: time.ms + LISTED_MARGIN_MS };
		return {
			from: Math.min(this.placedAt, this.since) - CLOCK_MARGIN_MS,
			until: Math.max(this.placedAt, this.since) + CLOCK_MARGIN_MS,
		};
	}

	see(call: JsonObject): void {
		if (!isCallOfRow(call, this.row)) return;
		this.listed = call;
		this.isSeen = true;
		if (!hasEnded(call)) return;
		this.isOver = true;
		this.end();
	}

	lookedAt(now: number, reading: Reading): void {
		const error = 'error' in reading ? reading.error : undefined;
		this.problem = error instanceof Error ? error.message : undefined;
		const wanted = Math.max(FIRST_LOOK_MS, (now - this.since) / LOOKS_PER_AGE);
		this.dueAt = Date.now() + Math.min(wanted, this.longestPauseMs);
	}
}

/**
 * Whether a listed call with a row's ID is the row's. If the credential's base URL or token was
 * changed since the call was placed, it may be another organization's, to another number.
 */
export function isCallOfRow(call: JsonObject, row: IDataObject): boolean {
	const id = callIdOf(call);
	if (id === undefined || id !== callIdOf({ id: row.callId })) return false;
	const [theirs, own] = [lastDigits(call.toPhone), lastDigits(row.toPhone)];
	return theirs === undefined || own === undefined || theirs === own;
}

/**
 * Shows each listed call of a range (Unix milliseconds), some of them twice, until `visit` returns
 * true. Returns whether the list was read to its end, or to there. @throws ServiceFailure
 */
export async function listed(
	client: ServiceClient,
	{ from, until }: { from: number; until: number },
	visit: (call: JsonObject) => unknown,
): Promise<{ complete: boolean }> {
	const query = {
		startTime: new Date(from).toISOString(),
		endTime: new Date(until).toISOString(),
	};
	return await client.walkCalls(query, (call) => visit(call) === true);
}

/** How far the service's clock may differ. A larger tolerance would match earlier calls. */
export const CLOCK_SKEW_MS = 10_000;

/** Whether a call placed at that time, by the service's clock, can come from this time's request. */
export function isInTime(
	createdAt: number | undefined,
	{ from, until }: { from: number; until: number },
): boolean {
	if (createdAt === undefined) return false;
	return createdAt >= from - CLOCK_SKEW_MS && createdAt <= until + CLOCK_SKEW_MS;
}

/** A call's ID as text; undefined for values that can't identify a call, such as 0 or spaces. */
export function callIdOf({ id }: IDataObject): string | undefined {
	if (typeof id === 'number') return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
	const text = typeof id === 'string' ? id.trim().slice(0, 100) : '';
	return /[\p{L}\p{N}]/u.test(text) && !/^(0+|null|undefined|none|nan)$/i.test(text)
		? text
		: undefined;
}

/** The loads that a listed call names, as the service writes them. */
export function loadText({ loadIds }: IDataObject): string {
	return [loadIds].flat().filter(isScalar).join(', ').slice(0, 200);
}

/** The keys of the loads that a listed call names. */
export function loadsOf({ loadIds }: IDataObject): string[] {
	return loadsIn(loadIds);
}

/**
 * Whether a listed call names the load. Unclear if it may be another spelling: "48213" for
 * "LD-48213", but neither "PO-48213" nor "48213-2".
 */
export function matchLoad(load: string, keys: readonly string[]): Match {
	if (keys.includes(loadKey(load))) return 'same';
	const mine = spellingOf(loadKey(load));
	const isSpelling = keys.map(spellingOf).some(({ letters, digits }) => {
		const hasPrefix = letters === '' || mine.letters === '' || letters === mine.letters;
		return hasPrefix && digits !== '' && digits === mine.digits;
	});
	return isSpelling ? 'unclear' : 'other';
}

function spellingOf(load: string): { letters: string; digits: string } {
	const [letters, digits] = [/\P{L}/gu, /\D/g].map((others) =>
		load.slice(0, 200).toLowerCase().replaceAll(others, ''),
	);
	return { letters: letters ?? '', digits: digits?.replace(/^0+/, '') ?? '' };
}

/**
 * Whether a listed call may be about the load and carrier of a request. Agent calls have none
 * (contract 4.8), and a call in progress may not have a load yet: then its number and time decide.
 */
export function mayConcern(
	{ load, dotNumber }: { load: string | undefined; dotNumber: number | undefined },
	call: JsonObject,
): Match {
	if (isOfOtherCarrier(dotNumber, dotNumberOf(call))) return 'other';
	const loads = loadsOf(call);
	return load === undefined || loads.length === 0 ? 'same' : matchLoad(load, loads);
}

/** One dispatcher may answer for several carriers. */
export function isOfOtherCarrier(one: number | undefined, other: number | undefined): boolean {
	return one !== undefined && other !== undefined && one !== other;
}

/**
 * Whether a listed call went to this number within a time (Unix milliseconds). Unclear if its
 * number, time or ID can't be read, unless the others rule it out. A time without a zone may be hours
 * off; the service listed it for the range all the same.
 */
export function matchCall(
	toPhone: string,
	{ from, until }: { from: number; until: number },
	call: JsonObject,
): Match {
	const time = timeOf(call);
	const isOutside = time === undefined || time.ms < from || time.ms > until;
	if (isOutside && time?.toleranceMs === 0) return 'other';
	const number = matchNumber(toPhone, call.toPhone);
	if (number !== 'same') return number;
	return isOutside || callIdOf(call) === undefined ? 'unclear' : 'same';
}

/** How far back each part of a search by ID reaches, in days. Most calls looked up are recent. */
const PARTS = [1, 7, 30, 90, 365];

/** What to look up. */
export interface CallLookUp {
	callId: string;
	lookBackDays: number;
	loadId: string | undefined;
}

/**
 * Searches the calls of the last days for several calls, part by part, newest first. Reads only as
 * far as needed, and continues from there for the next call.
 */
export class CallSearch {
	/** IDs of all calls to look for. */
	readonly wanted = new Set<string>();

	/** How many calls were read. */
	searched = 0;

	/** Whether the service returned the full list, as far as it was read. */
	complete = true;

	private readonly found = new Map<string, IDataObject>();
	private readonly parts: ListQuery[];

	/** @param now in the workflow's time zone, where the days begin */
	constructor(now: DateTime, { callId, lookBackDays: days, loadId }: CallLookUp) {
		this.wanted.add(callId);
		// The calls about a load are few.
		const earlier = loadId === undefined ? PARTS.filter((part) => part < days) : [];
		const starts = [...earlier, days].map((part) => now.minus({ days: part }));
		this.parts = starts.map((start, index) => ({
			startTime: timestamp(start),
			// Bounds may be exclusive (contract 4.9), and the service's clock may be ahead.
			endTime: timestamp(starts[index - 1]?.plus({ seconds: 1 }) ?? now.plus({ hours: 1 })),
			...(loadId !== undefined && { loadId }),
		}));
	}

	/** @throws ServiceFailure if a page can't be read; the next search starts with the same part */
	async find(client: ServiceClient, callId: string): Promise<IDataObject | undefined> {
		for (let part = this.parts[0]; part && !this.found.has(callId); part = this.parts[0]) {
			const { searched, complete } = await client.walkCalls(part, (row) => this.keep(row));
			this.searched += searched;
			this.complete &&= complete;
			this.parts.shift();
		}
		return this.found.get(callId);
	}

	/** Keeps a call if it is one of those looked for. Says whether all of them are here. */
	private keep(call: IDataObject): boolean {
		const id = String(call.id);
		if (this.wanted.has(id) && !this.found.has(id)) this.found.set(id, call);
		return this.found.size === this.wanted.size;
	}
}
