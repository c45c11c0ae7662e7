import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../../shared/service/http/cancellation';
import type { JsonObject } from '../../../shared/service/http/json';
import type { ServiceClient } from '../../../shared/service/client';
import type { CallRegistry } from '../memory/callRegistry';
import { reservedSince } from '../memory/journal/journalEntries';
import type { KnownCall } from '../memory/knownCalls';
import { isComparable, isOfAnyOther, similarCalls } from '../memory/otherCalls';
import { CallProblem } from '../output/callErrors';
import { matchCall } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { earlierRow, mayBeSame, skipped } from './earlierCall';
import { RecentCalls } from './recentCalls';

/** The list is read once per run, and again when it is older than this. */
const FRESH_MS = 15_000;

const LOOK_AGAIN_MS = 1_000;

/** After a longer wait for a call's turn, the list is read again. */
const SHORT_WAIT_MS = 50;

/**
 * Skips calls that were placed within the minutes of Skip If Called Within. Evidence is this n8n's own
 * memory, or a listed call to the number that names the load.
 */
export class DuplicateGuard {
	private readonly recentCalls: RecentCalls;

	/**
	 * @param calls all calls of the run
	 * @param patienceMs how long to wait for another execution that is placing the same call
	 */
	constructor(
		client: ServiceClient,
		private readonly registry: CallRegistry,
		calls: readonly PlannedCall[],
		private readonly patienceMs: number,
		private readonly signal: AbortSignal | undefined,
	) {
		this.recentCalls = new RecentCalls(client, calls);
	}

	/**
	 * The row of an earlier call that this one duplicates, if there is one and the guard is on. Waits if
	 * another execution is placing the same call.
	 *
	 * @throws CallProblem if that call isn't listed in time, or the list can't be read to its end
	 */
	async findEarlier(call: PlannedCall): Promise<IDataObject | undefined> {
		const deadline = Date.now() + this.patienceMs;
		let earlier = await this.find(call);
		while (earlier === undefined && this.isContested(call)) {
			if (Date.now() >= deadline) {
				throw notPlaced(
					call,
					"Another execution of this workflow requested the same call a few minutes ago, and the call list doesn't show it yet. Run this item again in a few minutes",
				);
			}
			await pause(LOOK_AGAIN_MS, this.signal);
			earlier = await this.find(call, 0);
		}
		return earlier;
	}

	/**
	 * The same again, while no other call to the number is in progress.
	 *
	 * @param waitedMs how long the call waited for its turn: calls listed meanwhile count
	 * @throws CallProblem also if it isn't known whether the same call was placed a moment ago
	 */
	async findLast(call: PlannedCall, waitedMs: number): Promise<IDataObject | undefined> {
		const earlier = await this.find(call, waitedMs > SHORT_WAIT_MS ? 0 : FRESH_MS);
		if (earlier) return earlier;
		const lost = this.recent(call).find(({ state }) => state === 'dialing');
		if (lost === undefined) return undefined;
		throw notPlaced(
			call,
			'The same call was requested a moment ago and got no clear answer, so it may have been placed. Look in Call > Get Many before you run this item again',
		);
	}

	private async find(call: PlannedCall, maxAgeMs = FRESH_MS): Promise<IDataObject | undefined> {
		const { skipWithinMs } = call;
		if (skipWithinMs === undefined) return undefined;
		const own = this.recent(call).find(({ row }) => row !== undefined);
		if (own?.row) return { ...own.row, ...skipped(own.row, own.from, skipWithinMs) };

		const { load } = call.known;
		if (load === undefined) return undefined;
		const range = { from: Date.now() - skipWithinMs, until: Number.POSITIVE_INFINITY };
		let unclear: JsonObject | undefined;
		for (const listed of await this.recentCalls.about(load, maxAgeMs)) {
			// The list may leave out the extension; for calls placed here it is known.
			if (isComparable(call, listed)) continue;
			const match = matchCall(call.toPhone, range, listed);
			// The list doesn't say for whom the test number was called.
			if (match === 'same' && call.insteadOf === undefined)
				return earlierRow(call, listed, skipWithinMs);
			if (match !== 'other' && !isOfAnyOther(call, listed)) unclear ??= listed;
		}
		if (unclear) throw notPlaced(call, mayBeSame(call, unclear));
		return undefined;
	}

	private isContested(call: PlannedCall): boolean {
		const contest = this.registry.notes.contestOf(call);
		return contest === 'now' || (contest === 'before' && !this.wasCalledBefore(call));
	}

	/** Whether there was such a call before the minutes: reservations last longer. */
	private wasCalledBefore(call: PlannedCall): boolean {
		const { skipWithinMs = 1 } = call;
		const range = { from: reservedSince(skipWithinMs), until: Date.now() - skipWithinMs };
		if (this.known(call, range).length > 0) return true;
		const listed = this.recentCalls.known(call.known.load ?? '');
		return listed.some((each) => matchCall(call.toPhone, range, each) === 'same');
	}

	/** The same calls placed by this n8n within the minutes. */
	private recent(call: PlannedCall): KnownCall[] {
		const { skipWithinMs } = call;
		if (skipWithinMs === undefined) return [];
		const since = Date.now() - skipWithinMs;
		return this.known(call, { from: since, until: Number.POSITIVE_INFINITY });
	}

	private known(call: PlannedCall, { from, until }: { from: number; until: number }): KnownCall[] {
		return similarCalls(call).filter(
			(other) => other.state !== 'noted' && other.from >= from && other.from <= until,
		);
	}
}

function notPlaced(call: PlannedCall, why: string): CallProblem {
	return new CallProblem(`The ${call.known.what} was not placed`, why);
}
