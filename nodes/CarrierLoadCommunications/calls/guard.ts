import { randomUUID } from 'crypto';
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { textOf } from '../../shared/errors/itemError';
import { showHint } from '../../shared/fields/parameters';
import { pause } from '../../shared/service/pause';
import { passingFailure } from '../../shared/service/failure';
import { loadsIn } from '../../shared/service/loads';
import type { PlannedCall } from './call';
import { CallList } from './callList';
import {
	notPlaced,
	rowOfKnown,
	isOtherSpelling,
	mayBeKnown,
	whyUnanswered,
	rowOfListed,
	mayBeSame,
} from './duplicate';
import { digest, nodeKeyOf } from './keys';
import { matchListed, type RecentCall } from './listedCall';
import { hasId, hasOtherExtension, isOfOtherRequest, otherCalls, runExclusive } from './memory';
import type { LookingRun } from './memory';

const LOOK_AGAIN_MS = 1_000;

/**
 * Skips calls that were placed within the minutes of Skip If Called Within, and reserves those that
 * are about to be placed, so that another worker doesn't place them at the same moment. Evidence is
 * this n8n's own memory, or a listed call to the number that names the load.
 */
export class DuplicateGuard {
	private readonly reservations: Reservations;
	/** When to stop waiting for the calls of other executions; once for all items. */
	private waitUntil: number | undefined;
	/** Whether the list was read for requests that got no response, once for all, and why it couldn't be. */
	private isRead = false;
	private unread: string | undefined;

	constructor(private readonly run: LookingRun) {
		this.reservations = new Reservations(run.context);
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
		const { context, memory } = this.run;
		await this.reservations.release(calls.filter((call) => !memory.hasRung(call)));
		const { problem } = this.reservations;
		if (problem === undefined) return;
		const message = `These calls could not be reserved in n8n's database (${problem}), so the node can't tell if another worker places the same call at the same moment. Saving the workflow usually fixes this.`;
		showHint(context, 'warning', message);
	}

	/**
	 * The row of an earlier call that this one duplicates, if there is one and the guard is on. Must run
	 * while this process places no other call to the number.
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

	private async find(call: PlannedCall, withinMs: number, isLate: boolean) {
		const since = Date.now() - withinMs;
		const recent = otherCalls(call).filter(
			(other) => other.from >= since && !hasOtherExtension(call, other),
		);
		const same = recent.filter((other) => other.duplicateKey === call.identity.duplicateKey);
		const placed = same.find(({ row }) => row !== undefined);
		if (placed) return rowOfKnown(call, placed, withinMs);
		const [unanswered] = same;
		if (unanswered === undefined) {
			const spelled = recent.find((other) => isOtherSpelling(call, other));
			if (spelled) throw notPlaced(call, mayBeKnown(call, spelled));
			return await this.findListed(call, withinMs, isLate);
		}
		if (this.unread === undefined) {
			const isFirst = !this.isRead;
			this.isRead = true;
			try {
				const listed = await this.findListed(call, withinMs, isFirst);
				if (listed) return listed;
			} catch (error) {
				this.unread = passingFailure(error).message;
			}
		}
		throw notPlaced(call, whyUnanswered(call, unanswered, this.unread));
	}

	private async findListed(call: PlannedCall, withinMs: number, isLate: boolean) {
		const { toPhone, identity } = call;
		if (identity.load === undefined) return undefined;
		const since = Date.now() - withinMs;
		const { client } = this.run;
		const orElse = 'set Skip If Called Within to 0';
		const asked = { phone: toPhone, since, isLate, orElse };
		const recent = await CallList.of(client).recentTo(client, asked);
		// This process knows better what its own calls were about.
		const own = otherCalls(call).filter(({ account }) => account === identity.account);
		let unclear: RecentCall | undefined;
		for (const listed of recent) {
			const isOwn = own.some((other) => hasId(other, listed.id));
			if (isOwn || loadsIn(listed.loadIds).length === 0) continue;
			const match = matchListed(call, { from: since, until: Number.POSITIVE_INFINITY }, listed);
			// The list doesn't say for whom the test number was called.
			if (match === 'same' && call.intendedPhone === undefined) {
				return rowOfListed(call, listed, withinMs);
			}
			if (match !== 'other' && !isOfOtherRequest(identity, listed.id)) unclear ??= listed;
		}
		if (unclear) throw notPlaced(call, mayBeSame(call, identity.load, unclear));
		return undefined;
	}
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
		await this.withTable(
			async ({ removeProcessed }) => await removeProcessed(removed, 'node', ENTRIES),
		);
	}

	private ownMarks(): Set<string> {
		return new Set([...this.own.values()].flat());
	}

	/** Adds entries; returns those that were there before. */
	private async record(entries: string[]): Promise<Set<string>> {
		const found = await this.withTable(
			async ({ checkProcessedAndRecord }) =>
				await checkProcessedAndRecord(entries, 'node', ENTRIES),
		);
		return new Set(found?.processed.map(String));
	}

	private async withTable<Result>(use: (table: IExecuteFunctions['helpers']) => Promise<Result>) {
		const { helpers, logger } = this.context;
		return await runExclusive(`table:${this.node}`, async () => {
			try {
				// The first entries of two workers collide; the second attempt finds the other's.
				return await use(helpers).catch(async () => await use(helpers));
			} catch (error) {
				this.problem = textOf(error);
				logger.debug('Calls could not be reserved', { reason: this.problem });
				return undefined;
			}
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
