import type { IDataObject } from 'n8n-workflow';

import { isScalar } from '../../shared/events/event';
import { hasEnded } from '../../shared/outcome/callOutcome';
import type { ServiceClient } from '../../shared/service/client';
import type { JsonObject } from '../../shared/service/json';
import { loadKey, loadsIn, timeOf } from '../../shared/service/record';
import type { CallIdentity, PlannedCall } from './call';
import { CallProblem } from './callErrors';
import { runExclusive } from './memory';
import { lastDigits, matchNumber, type Match } from './phone';

const MINUTE_MS = 60_000;

/** How far the service's clock may be ahead of ours, or behind it. */
export const CLOCK_MARGIN_MS = 5 * MINUTE_MS;

/** The list may show a call late: what was read before is read again as far back as this. */
const LATE_MS = 10 * MINUTE_MS;

/** A call that was listed even later is seen at the next whole reading. */
const WHOLE_AGAIN_MS = 15 * MINUTE_MS;

/** A reading that began this long before a question still answers it. */
const FRESH_MS = 1000;

/** More calls take too much memory, and are read for each question. */
const MAX_KEPT = 50_000;

/** Calls that no one asked about for this long are forgotten, when anyone asks about any list again. */
const UNUSED_MS = 30 * MINUTE_MS;

interface RecentCalls {
	phone: string;
	/** Unix milliseconds. */
	since: number;
	/** Whether calls that were listed right now count, because this one had to wait. */
	isLate?: boolean;
	/** What the user can do instead if the list can't be read to its end: half a sentence. */
	orElse: string;
}

/**
 * The service's list of calls, the memory that everyone shares. It has no filter by number, so it is
 * read once for all who ask in this process, and then only its newest part.
 */
export class CallList {
	private readonly calls = new Map<string, RecentCall>();
	/** Since when calls are known, and when the last reading and the last whole one began (Unix ms). */
	private coveredFrom = Number.POSITIVE_INFINITY;
	private readAt = Number.NEGATIVE_INFINITY;
	private wholeAt = Number.NEGATIVE_INFINITY;
	/** When the newest listed call was placed. */
	private newest = 0;
	/** Whether all times have a zone. If not, only a reading of the asked range says what is in it. */
	private isExact = true;
	/** How far back questions went since the last whole reading. */
	private spanMs = 0;
	private usedAt = 0;

	/** The list of a client's organization. Another base URL or token is another list. */
	static of(client: ServiceClient): CallList {
		const now = Date.now();
		for (const [account, list] of callLists) {
			if (now - list.usedAt > UNUSED_MS) callLists.delete(account);
		}
		const list = callLists.get(client.account) ?? new CallList();
		callLists.set(client.account, list);
		list.usedAt = now;
		return list;
	}

	/**
	 * The calls since a time that may have gone to a number, also those that were listed a second ago.
	 *
	 * @throws CallProblem if the list can't be read to its end; ServiceFailure
	 */
	async recentTo(
		client: ServiceClient,
		{ phone, since, isLate = false, orElse }: RecentCalls,
	): Promise<RecentCall[]> {
		const readAfter = Date.now() - (isLate ? 0 : FRESH_MS);
		const digits = lastDigits(phone);
		// Who asks while the list is read waits for that reading.
		return await runExclusive(`list:${client.account}`, async () => {
			if (!(await this.refresh(client, since, readAfter))) {
				throw new CallProblem(
					'The call list could not be read to its end, so an earlier call cannot be ruled out',
					`Run this item again, or ${orElse}`,
				);
			}
			// A number that can't be read may be any. An index by number would take as much memory again.
			const recent = [...this.calls.values()].filter(
				(call) => (call.digits === digits || call.digits === '') && call.latest >= since,
			);
			if (this.calls.size > MAX_KEPT) this.forget();
			return recent;
		});
	}

	/** Returns whether the list was read to its end. */
	private async refresh(client: ServiceClient, since: number, readAfter: number): Promise<boolean> {
		const now = Date.now();
		this.spanMs = Math.max(this.spanMs, now - since);
		const isWhole =
			since < this.coveredFrom || now - this.wholeAt > WHOLE_AGAIN_MS || !this.isExact;
		if (!isWhole && this.readAt > readAfter) return true;
		// By the service's clock: if that is behind, its newest call says how far it was read.
		const readTo = Math.min(this.readAt, Math.max(this.newest, this.readAt - CLOCK_MARGIN_MS));
		const start = this.isExact ? now - this.spanMs : since;
		const from = isWhole ? start : readTo - LATE_MS;
		const read: RecentCall[] = [];
		const { complete } = await client.walkCalls(rangeOf(from, now + CLOCK_MARGIN_MS), (call) => {
			read.push(recentCallOf(call));
			return false;
		});
		if (isWhole || !complete) this.forget();
		if (!complete) return false;
		if (isWhole) [this.wholeAt, this.coveredFrom, this.spanMs] = [now, from, 0];
		for (const call of read) {
			this.calls.set(call.key, call);
			this.newest = Math.max(this.newest, call.placedAt ?? 0);
		}
		this.isExact = read.every(({ latest }) => Number.isFinite(latest));
		this.readAt = now;
		return true;
	}

	private forget(): void {
		this.calls.clear();
		this.coveredFrom = Number.POSITIVE_INFINITY;
		this.newest = 0;
	}
}

/** By organization, for all executions of this process. */
export const callLists = new Map<string, CallList>();

/** A time range in Unix milliseconds as the list's query has it. */
export function rangeOf(from: number, until: number): { startTime: string; endTime: string } {
	return { startTime: new Date(from).toISOString(), endTime: new Date(until).toISOString() };
}

export type RecentCall = ReturnType<typeof recentCallOf>;

/** What is kept of each of up to 50,000 listed calls, to know later whom it called about what. */
function recentCallOf(call: JsonObject) {
	const { toPhone, createdAt, status, loadIds, contentTags } = call;
	const [id, time] = [callIdOf(call), timeOf(call)];
	return {
		...{ id, callId: call.id, toPhone, createdAt, status, loadIds, dotNumber: dotNumberOf(call) },
		contentTags: [contentTags].flat().filter(isScalar).join().slice(0, 100),
		isEnded: hasEnded(call),
		key: id ?? JSON.stringify([toPhone, createdAt, loadIds]),
		/** The number's last digits; empty if they can't be read. */
		digits: lastDigits(toPhone) ?? '',
		/** When it was placed (Unix milliseconds), if that can be read; without a zone, as if in UTC. */
		placedAt: time?.ms,
		/** When it was placed at the latest: without a zone, at any time of the range that was read. */
		latest: time?.toleranceMs === 0 ? time.ms : Number.POSITIVE_INFINITY,
	};
}

/** How far the service's clock may differ at a request. A larger tolerance would match earlier calls. */
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

/** The loads that a listed call names, as the service writes them. */
export function loadText({ loadIds }: IDataObject): string {
	return [loadIds].flat().filter(isScalar).join(', ').slice(0, 200);
}

/**
 * Whether a load is one of those with these keys. Unclear if it may be another spelling: "48213" for
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
	const text = load.slice(0, 200).toLowerCase();
	const digits = text.replace(/\D/g, '').replace(/^0+/, '');
	return { letters: text.replace(/\P{L}/gu, ''), digits };
}

/** The carrier that a listed call was about, if it says so. */
function dotNumberOf({ dotNumber }: JsonObject): number | undefined {
	const carrier = isScalar(dotNumber) ? Number(dotNumber) : 0;
	return Number.isSafeInteger(carrier) && carrier > 0 ? carrier : undefined;
}

/**
 * Whether a listed call may be about the load and carrier of a request. Agent calls have none
 * (contract 4.8), and a call in progress may not have a load yet: then its number and time decide.
 */
export function mayConcern(
	{ load, dotNumber }: Pick<CallIdentity, 'load' | 'dotNumber'>,
	listed: JsonObject,
): Match {
	// One dispatcher may answer for several carriers.
	const carrier = dotNumberOf(listed);
	if (dotNumber !== undefined && carrier !== undefined && carrier !== dotNumber) return 'other';
	const loads = loadsIn(listed.loadIds);
	return load === undefined || loads.length === 0 ? 'same' : matchLoad(load, loads);
}

/**
 * Whether a listed call can come from a request in that time, by its number, time, load and carrier.
 * Unclear if one of them, or its ID, can't be read.
 */
export function matchListed(
	{ toPhone, identity }: Pick<PlannedCall, 'toPhone' | 'identity'>,
	request: { from: number; until: number },
	listed: JsonObject,
): Match {
	const about = mayConcern(identity, listed);
	const time = timeOf(listed);
	const isOutside = !isInTime(time?.ms, request);
	// A time without a zone may be hours off; the service listed it for the range all the same.
	if (about === 'other' || (isOutside && time?.toleranceMs === 0)) return 'other';
	const number = matchNumber(toPhone, listed.toPhone);
	if (number === 'unclear') {
		const namesLoad = identity.load !== undefined && loadsIn(listed.loadIds).length > 0;
		return namesLoad && about === 'same' ? 'unclear' : 'other';
	}
	if (number === 'other') return 'other';
	return isOutside || callIdOf(listed) === undefined ? 'unclear' : about;
}
