import { randomUUID } from 'crypto';
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { endWord } from '../../shared/outcome/callOutcome';
import { pause } from '../../shared/service/cancellation';
import type { ServiceClient } from '../../shared/service/client';
import { passingFailure } from '../../shared/service/failure';
import { loadKey } from '../../shared/service/record';
import type { KnownCall, PlannedCall } from './call';
import { CallProblem } from './callErrors';
import { CallList, isOfOtherCarrier, matchLoad, type RecentCall } from './callList';
import { digest, loadCallKey, nodeKeyOf } from './keys';
import {
	hasId,
	hasOtherExtension,
	isOfOtherRequest,
	otherCalls,
	runExclusive,
	type CallMemory,
} from './memory';
import { matchNumber, type Match } from './phone';
import { reasonWithEnd, statusOf } from './rows';

const LOOK_AGAIN_MS = 1_000;

/** What the guard needs of a run. */
interface GuardedRun {
	context: IExecuteFunctions;
	client: ServiceClient;
	memory: CallMemory;
	/** How long to wait for calls that another execution is placing, in milliseconds. */
	lookForMs: number;
	signal: AbortSignal | undefined;
}

/**
 * Skips calls that were placed within the minutes of Skip If Called Within, and reserves those that
 * are about to be placed, so that another worker doesn't place them at the same moment. Evidence is
 * this n8n's own memory, or a listed call to the number that names the load.
 */
export class DuplicateGuard {
	private readonly reservations: Reservations;
	private readonly list: CallList;
	/** When to stop waiting for the calls of other executions; once for all items. */
	private waitUntil: number | undefined;
	/** Whether the list was read for requests that got no response, once for all, and why it couldn't be. */
	private looked = false;
	private unread: string | undefined;

	constructor(private readonly run: GuardedRun) {
		this.reservations = new Reservations(run.context);
		this.list = CallList.of(run.client);
	}

	/** Why other workers' calls can't be seen; undefined if they can. */
	get problem(): string | undefined {
		return this.reservations.problem;
	}

	/** Reserves calls in one write; nothing for calls whose guard is off. */
	async reserve(calls: readonly PlannedCall[]): Promise<void> {
		const guarded = calls.filter(
			(call) => call.skipWithinMs !== undefined && this.run.memory.recall(call) === undefined,
		);
		await this.reservations.reserve(guarded);
	}

	/** Ends the run: others may place those of its calls that were not placed. */
	async release(calls: readonly PlannedCall[]): Promise<void> {
		await this.reservations.release(calls.filter((call) => !this.run.memory.hasRung(call)));
	}

	/**
	 * The row of an earlier call that this one duplicates, if there is one and the guard is on. Must run
	 * while this process places no other call to the number.
	 *
	 * @param isLate whether the call had to wait since it was checked
	 * @throws CallProblem if it isn't known whether the same call was placed, or the list can't be read
	 */
	async findEarlier(call: PlannedCall, isLate = false): Promise<IDataObject | undefined> {
		const { skipWithinMs } = call;
		if (skipWithinMs === undefined) return undefined;
		for (;;) {
			const earlier = await this.find(call, skipWithinMs, isLate);
			if (earlier || !this.reservations.isForeign(call)) return earlier;
			this.waitUntil ??= Date.now() + this.run.lookForMs;
			if (Date.now() >= this.waitUntil) {
				throw notPlaced(
					call,
					'Run this item again in a few minutes. The same call was requested within the last 10 minutes, and the call list does not show it: its request got no response, n8n was restarted, or another worker is placing it right now',
				);
			}
			await pause(LOOK_AGAIN_MS, this.run.signal);
		}
	}

	private async find(
		call: PlannedCall,
		withinMs: number,
		isLate: boolean,
	): Promise<IDataObject | undefined> {
		const since = Date.now() - withinMs;
		const known = similarCalls(call).filter(({ from }) => from >= since);
		const placed = known.find(({ row }) => row !== undefined);
		if (placed) return rowOfKnown(call, placed, withinMs);
		const [unanswered] = known;
		const spelled = otherSpelling(call, since);
		if (!unanswered && spelled) throw notPlaced(call, mayBeKnown(call, spelled));
		if (unanswered === undefined) return await this.findListed(call, withinMs, isLate);
		const listed = await this.findUnanswered(call, withinMs);
		if (listed) return listed;
		throw notPlaced(call, whyUnanswered(call, unanswered, this.unread));
	}

	/** The row of a listed call, although an earlier request for it got no response. */
	private async findUnanswered(call: PlannedCall, withinMs: number) {
		if (this.unread !== undefined) return undefined;
		const isFirst = !this.looked;
		this.looked = true;
		try {
			return await this.findListed(call, withinMs, isFirst);
		} catch (error) {
			this.unread = passingFailure(error).message;
			return undefined;
		}
	}

	private async findListed(call: PlannedCall, withinMs: number, isLate: boolean) {
		const { load } = call.identity;
		if (load === undefined) return undefined;
		const since = Date.now() - withinMs;
		let unclear: RecentCall | undefined;
		const orElse = 'set Skip If Called Within to 0';
		const asked = { phone: call.toPhone, since, isLate, orElse };
		for (const listed of await this.list.recentTo(this.run.client, asked)) {
			if (isKnownHere(call, listed)) continue;
			const match = matchListed(call, load, listed, since);
			// The list doesn't say for whom the test number was called.
			if (match === 'same' && call.intendedPhone === undefined) {
				return rowOfListed(call, listed, withinMs);
			}
			if (match !== 'other' && !isOfOtherRequest(call.identity, listed.id)) unclear ??= listed;
		}
		if (unclear) throw notPlaced(call, mayBeSame(call, load, unclear));
		return undefined;
	}
}

function notPlaced(call: PlannedCall, why: string): CallProblem {
	return new CallProblem(`The ${call.identity.what} was not placed`, why);
}

/** What this process knows of the same call: an extension may be left out at times. */
function similarCalls(call: PlannedCall): KnownCall[] {
	const { duplicateKey } = call.identity;
	return otherCalls(call).filter(
		(other) => other.duplicateKey === duplicateKey && !hasOtherExtension(call, other),
	);
}

/** A call that this process knows, and that is the same if its load is only written differently. */
function otherSpelling(call: PlannedCall, since: number): KnownCall | undefined {
	const { account, load } = call.identity;
	if (load === undefined) return undefined;
	return otherCalls(call).find(
		(other) =>
			other.load !== undefined &&
			other.from >= since &&
			matchLoad(load, [loadKey(other.load)]) === 'unclear' &&
			other.duplicateKey === loadCallKey(account, call, other.load) &&
			!hasOtherExtension(call, other),
	);
}

/** Whether a listed call was placed here to this number: then `similarCalls` knows better. */
function isKnownHere(call: PlannedCall, { id }: RecentCall): boolean {
	const { account } = call.identity;
	return otherCalls(call).some((other) => other.account === account && hasId(other, id));
}

function matchListed(
	{ toPhone, identity }: PlannedCall,
	load: string,
	listed: RecentCall,
	since: number,
): Match {
	const about = matchLoad(load, listed.loads);
	if (about === 'other' || isOfOtherCarrier(identity.dotNumber, listed.dotNumber)) return 'other';
	const number = matchNumber(toPhone, listed.toPhone);
	if (about === 'unclear') return number === 'same' ? 'unclear' : 'other';
	if (number !== 'same') return number;
	const isRecent = listed.placedAt !== undefined && listed.placedAt >= since;
	return isRecent && listed.id !== undefined ? 'same' : 'unclear';
}

function mayBeSame({ intendedPhone }: PlannedCall, load: string, listed: RecentCall): string {
	const id = `(ID ${listed.id ?? 'none'})`;
	const what =
		matchLoad(load, listed.loads) === 'unclear'
			? `to this number about load ${listed.loadText} ${id}, which may be load ${load} written differently`
			: intendedPhone === undefined
				? `about this load ${id} whose number, time or ID can't be read`
				: `about this load ${id} and the list does not say for whom the test number was called`;
	return `The call list shows a call ${what}, so it may be the same call. ${IF_NOT}`;
}

const IF_NOT =
	'Look it up in Call > Get Many: if it is another call, set Skip If Called Within to 0 and run this item again';

function mayBeKnown({ identity }: PlannedCall, { load, from, row }: KnownCall): string {
	const id = row === undefined ? 'it may have been placed' : `ID ${String(row.callId)}`;
	return `A call to this number about load ${load} (${id}) was requested ${minutes(Date.now() - from)} ago. That may be load ${identity.load} written differently. ${IF_NOT}`;
}

function whyUnanswered(
	{ identity }: PlannedCall,
	{ from, why = 'The request got no response' }: KnownCall,
	unread: string | undefined,
): string {
	const list =
		unread === undefined
			? `The call list ${identity.load === undefined ? "can't tell" : 'does not show it'}`
			: `The call list could not be read: ${unread}`;
	return `Look in Call > Get Many or ask the person called: if there was no call, set Skip If Called Within to 0 and run this item again. The same call was requested ${minutes(Date.now() - from)} ago and may have been placed. ${why}. ${list}`;
}

function rowOfKnown(call: PlannedCall, known: KnownCall, withinMs: number): IDataObject {
	const { execution, run } = known;
	const { identity } = call;
	const isLoop = execution === identity.execution && run !== identity.run;
	const redial = isLoop
		? ' This execution placed it in an earlier step. To call again, raise Wait at Most or lower Skip If Called Within.'
		: '';
	const reason =
		skipReason(known.row?.callId, known.from, withinMs) + aboutStop(call, known) + redial;
	const result = skipWords(known.from);
	return { ...known.row, placement: 'skippedDuplicate', placementReason: reason, result };
}

/** A call about another stop is a duplicate all the same: " It was about stop 0." */
export function aboutStop({ identity }: PlannedCall, { nextStopIndex: stop }: KnownCall): string {
	return stop === identity.nextStopIndex ? '' : ` It was about stop ${stop ?? 'unknown'}.`;
}

/** The list doesn't say what the call was about besides the load, and nothing is made up here. */
function rowOfListed(call: PlannedCall, listed: RecentCall, withinMs: number): IDataObject {
	const { dotNumber, nextStopIndex } = call.identity;
	const about =
		nextStopIndex === undefined
			? dotNumber === listed.dotNumber
				? ''
				: ' The list does not say about which carrier.'
			: ' The list does not say about which stop, or whether it was a check call.';
	const placedAt = listed.placedAt ?? Date.now();
	const placementReason = skipReason(listed.id, placedAt, withinMs) + about;
	const row = {
		callId: listed.callId ?? null,
		conversationId: null,
		status: statusOf(listed.status, listed.isEnded),
		placement: 'skippedDuplicate',
		placementReason,
		result: skipWords(placedAt),
		toPhone: String(listed.toPhone),
		createdAt: String(listed.createdAt),
		loadNumber: listed.loadText,
		...(listed.dotNumber !== undefined && { dotNumber: listed.dotNumber }),
		...(listed.contentTags !== '' && { contentTags: listed.contentTags }),
	};
	return {
		...row,
		...reasonWithEnd(row, endWord({ contentTags: listed.contentTags, status: listed.status })),
	};
}

/** "Call 5012 to this number was placed 3 minutes ago (Skip If Called Within is 10 minutes)." */
function skipReason(callId: unknown, placedAt: number, withinMs: number): string {
	const age = minutes(Date.now() - placedAt);
	return `Call ${String(callId)} to this number was placed ${age} ago (Skip If Called Within is ${minutes(withinMs)}).`;
}

function skipWords(placedAt: number): string {
	return `Skipped: called ${minutes(Date.now() - placedAt)} ago`;
}

function minutes(ms: number): string {
	const count = Math.round(ms / 60_000);
	// Also if the service's clock is ahead.
	if (count < 1) return 'less than a minute';
	return count === 1 ? '1 minute' : `${count} minutes`;
}

/** A reservation lasts this long, or as long as the guard's time if that is shorter. */
const RESERVED_MS = 10 * 60_000;

/** Entries of n8n's table have no time, so each names a fifth of it. */
const PARTS = 5;

/** Longer than a worker takes between reading n8n's table and writing it. @public for tests, which shorten it */
export const SETTLE_MS = 500;

/** How often what other workers overwrote is written again. */
const ATTEMPTS = 8;

/** n8n rewrites all entries of a node each time, and drops the oldest. */
const ENTRIES = { mode: 'entries', maxEntries: 10_000 } as const;

/**
 * Which calls executions of this node are about to place, in n8n's table of processed data (n8n 2.41:
 * `deduplication-helper.js`), which all workers share. n8n reads and writes it in two steps, so two
 * workers can overwrite each other's entries: what was written is checked again shortly after.
 */
export class Reservations {
	/** Why the table can't be used: a workflow that was never saved has no entry. */
	problem: string | undefined;

	private readonly node: string;
	/** By call, the entries of this run's reservations. */
	private readonly own = new Map<string, string[]>();
	/** Calls that another execution has reserved. */
	private readonly foreign = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {
		this.node = nodeKeyOf(context);
	}

	isForeign(call: PlannedCall): boolean {
		if (!this.foreign.has(call.identity.key)) return false;
		// Entries say nothing of extensions: these come from this process's call to another one.
		const { duplicateKey } = call.identity;
		const since = Date.now() - RESERVED_MS;
		return !otherCalls(call).some(
			(other) =>
				other.duplicateKey === duplicateKey &&
				other.from >= since &&
				hasOtherExtension(call, other),
		);
	}

	async reserve(calls: readonly PlannedCall[]): Promise<void> {
		if (calls.length === 0) return;
		const entries = calls.map((call) => ({ key: call.identity.key, marks: marksOf(call) }));
		for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
			const token = randomUUID();
			const all = new Set(entries.flatMap(({ marks }) => marks));
			for (const mark of this.ownMarks()) all.delete(mark);
			const before = await this.record([...all, token]);
			for (const { key, marks } of entries) {
				const isForeign = marks.some((mark) => all.has(mark) && before.has(mark));
				if (isForeign) this.foreign.add(key);
				else this.own.set(key, marks);
			}
			if (this.problem !== undefined) return;
			// Also after Stop, because only what is known to be this run's may be removed again.
			await sleep(SETTLE_MS);
			if ((await this.record([token])).has(token) || this.problem !== undefined) return;
			for (const { key } of entries) {
				this.own.delete(key);
				this.foreign.delete(key);
			}
		}
		// Other workers kept overwriting them: without a reservation, nothing may be placed.
		for (const { key } of entries) this.foreign.add(key);
	}

	async release(calls: readonly PlannedCall[]): Promise<void> {
		const gone = calls.flatMap(({ identity }) => this.own.get(identity.key) ?? []);
		for (const { identity } of calls) this.own.delete(identity.key);
		// Two calls of a run may have reserved the same.
		const kept = this.ownMarks();
		const removed = gone.filter((mark) => !kept.has(mark));
		if (removed.length === 0) return;
		await this.withTable(async ({ removeProcessed }) => {
			await removeProcessed(removed, 'node', ENTRIES);
			return new Set();
		});
	}

	private ownMarks(): Set<string> {
		return new Set([...this.own.values()].flat());
	}

	/** Adds entries; returns those that were there before. */
	private async record(entries: string[]): Promise<Set<string>> {
		return await this.withTable(async ({ checkProcessedAndRecord }) => {
			const { processed } = await checkProcessedAndRecord(entries, 'node', ENTRIES);
			return new Set(processed.map(String));
		});
	}

	private async withTable(
		use: (table: IExecuteFunctions['helpers']) => Promise<Set<string>>,
	): Promise<Set<string>> {
		return await runExclusive(`table:${this.node}`, async () => {
			// The first entries of two workers collide; the second attempt finds the other's.
			for (let attempt = 1; attempt <= 2; attempt++) {
				try {
					return await use(this.context.helpers);
				} catch (error) {
					if (attempt === 2) this.problem = error instanceof Error ? error.message : String(error);
				}
			}
			this.context.logger.debug('Calls could not be reserved', { reason: this.problem });
			return new Set();
		});
	}
}

/** What reserves a call: an entry for each of the last parts, so that the next ones find it. */
function marksOf({ identity, skipWithinMs = RESERVED_MS }: PlannedCall): string[] {
	const partMs = Math.min(RESERVED_MS, skipWithinMs) / PARTS;
	const now = Math.floor(Date.now() / partMs);
	return Array.from({ length: PARTS }, (_, age) =>
		digest(['reserved', identity.phoneKey, identity.duplicateKey, partMs, now - age]),
	);
}
