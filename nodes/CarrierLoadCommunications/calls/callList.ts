import type { ServiceClient } from '../../shared/service/client';
import { CallProblem } from './callErrors';
import { recentCallOf, type RecentCall } from './listedCall';
import { runExclusive } from './memory';
import { lastDigits } from './phone';

const MINUTE_MS = 60_000;
/** How far the service's clock may be ahead of ours, or behind it. */
export const CLOCK_MARGIN_MS = 5 * MINUTE_MS;
/** The list may show a call late: what was read before is read again as far back as this. */
const LATE_MS = 10 * MINUTE_MS;
/** A call that was listed even later is seen at the next whole reading. */
const WHOLE_AGAIN_MS = 15 * MINUTE_MS;
/** From its beginning, a reading answers questions this long: more if it is slow, up to ten times. */
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

/** The service's list of calls. It has no filter by number, so it is read once for all who ask. */
export class CallList {
	private readonly calls = new Map<string, RecentCall>();
	/** Since when calls are known, and when the last reading and the last whole one began (Unix ms). */
	private coveredFrom = Number.POSITIVE_INFINITY;
	private readAt = Number.NEGATIVE_INFINITY;
	private freshUntil = Number.NEGATIVE_INFINITY;
	private wholeAt = Number.NEGATIVE_INFINITY;
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

	/** Those that may have gone to a number. @throws CallProblem if the list is incomplete; ServiceFailure */
	async recentTo(client: ServiceClient, { phone, since, isLate = false, orElse }: RecentCalls) {
		const askedAt = Date.now();
		const digits = lastDigits(phone);
		// Who asks while the list is read waits for that reading.
		return await runExclusive(`list:${client.account}`, async () => {
			const isFresh = askedAt < (isLate ? this.readAt : this.freshUntil);
			if (!(await this.refresh(client, since, isFresh))) {
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
	private async refresh(client: ServiceClient, since: number, isFresh: boolean): Promise<boolean> {
		const now = Date.now();
		this.spanMs = Math.max(this.spanMs, now - since);
		const isWhole =
			since < this.coveredFrom || now - this.wholeAt > WHOLE_AGAIN_MS || !this.isExact;
		if (!isWhole && isFresh) return true;
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
		const tookMs = Date.now() - now;
		this.freshUntil = now + Math.min(Math.max(FRESH_MS, 2 * tookMs), 10 * FRESH_MS);
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
