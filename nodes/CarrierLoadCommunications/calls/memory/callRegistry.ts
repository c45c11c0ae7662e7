import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { cancelSignal } from '../../../shared/service/http/cancellation';
import { CREDENTIAL_TYPE } from '../../../shared/service/http/request';
import type { JsonObject } from '../../../shared/service/http/json';
import type { RunCall } from '../output/runSummary';
import { callIdOf, createdAtOf, isInTime, loadKey, mayConcern } from '../output/listedCall';
import { describeCall, loadOf, type PlannedCall } from '../plan/plannedCall';
import { withoutExtension } from '../plan/phoneNumber';
import { CallJournal } from './callJournal';
import { digest } from './digest';
import { nodeKeyOf, runKeyOf, startOf } from './execution';
import { processCalls, type KnownCall, type Ring } from './knownCalls';
import { StoredCalls } from './storedCalls';

/** How far back a call is looked for when a crash took the time of its dialing along. */
const CRASH_MS = 60 * 60_000;

/**
 * The one answer to "whose call is this?", for a run of the node.
 *
 * It rests on three memories: the execution's own data (kept by n8n in Retry On Fail and in the
 * editor's retry, shared by all nodes of the execution), this process (all executions and nodes), and
 * n8n's database (other workers, and what a crash left behind).
 */
export class CallRegistry {
	private readonly journal: CallJournal;
	private readonly stored: StoredCalls;
	private readonly account: string;
	/** The calls that this run noted. */
	private readonly run = new Map<string, PlannedCall>();
	private readonly reserved = new Set<string>();
	private readonly contested = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {
		this.journal = new CallJournal(context);
		this.stored = new StoredCalls(context);
		this.account = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
		for (const call of this.stored.all()) {
			if (processCalls.get(call.key) !== undefined) continue;
			// Whose else a listed call could be is only known where the request was sent.
			processCalls.set(call.state === 'dialing' ? { ...call, interrupted: true } : call);
		}
	}

	/** Why calls of other workers can't be seen, when they can't. */
	get problem(): string | undefined {
		return this.journal.problem;
	}

	/** The number, without its extension. Two credentials may be of one account. */
	lineOf({ toPhone }: PlannedCall): string {
		return digest([withoutExtension(toPhone)]);
	}

	/** A call that was dialed, or may have been; undefined when it certainly wasn't. */
	recall({ key }: PlannedCall): KnownCall | undefined {
		// The process forgets old calls, the execution none of its own.
		const call = processCalls.get(key) ?? this.stored.get(key);
		return call?.state === 'noted' ? undefined : call;
	}

	/** Whether a phone rang for this call itself, and not for another one that stands for it. */
	ringOf(call: PlannedCall): Ring {
		const known = this.recall(call);
		return known === undefined ? 'no' : ringOf(known);
	}

	/**
	 * What became of a call, for the error that stops its run.
	 *
	 * @param isOpen whether the run stopped before it came to this call
	 */
	runCall(call: PlannedCall, isOpen: boolean): RunCall {
		const { itemIndex } = call;
		const callId = this.recall(call)?.row?.callId;
		return { what: describeCall(call), itemIndex, ring: this.ringOf(call), callId, isOpen };
	}

	/** Calls that earlier tries of this run requested, and that are none of these. */
	earlierCalls(calls: readonly PlannedCall[]): RunCall[] {
		const keys = new Set(calls.map(({ key }) => key));
		const run = runKeyOf(this.context);
		return this.stored
			.all()
			.filter((call) => call.run === run && !keys.has(call.key))
			.map((call) => ({ ...call, ring: ringOf(call), callId: call.row?.callId, isOpen: false }));
	}

	/** Notes calls, all in one write, before they are dialed. */
	async note(calls: readonly PlannedCall[]): Promise<void> {
		const fresh = calls.filter(
			(call) => processCalls.get(call.key) === undefined && this.recall(call) === undefined,
		);
		for (const call of fresh) {
			if (this.isPlacedElsewhere(call)) this.contested.add(call.key);
			this.run.set(call.key, call);
			processCalls.set(this.describe(call));
		}
		const notes = fresh.map((call) => ({ key: call.key, target: this.targetToReserve(call) }));
		const { begun, reserved } = await this.journal.note(notes, cancelSignal(this.context));
		for (const { key, target } of notes) {
			if (target === undefined) continue;
			if (reserved.has(target)) this.contested.add(key);
			else this.reserved.add(target);
		}
		for (const call of fresh) if (begun.has(call.key)) this.interrupted(call);
	}

	/** Whether another execution is placing such a call, or did so minutes ago. */
	isContested({ key }: PlannedCall): boolean {
		return this.contested.has(key);
	}

	/** Other calls with the same number and load, for the duplicate guard. */
	similarTo(call: PlannedCall): KnownCall[] {
		const target = this.targetOf(call);
		return this.others(call).filter((other) => other.target === target);
	}

	/** Whether another call of this n8n has this one of the service. */
	isTaken(call: PlannedCall, listed: JsonObject): boolean {
		return this.others(call).some(({ row }) => hasCallOf(row, listed));
	}

	/** Whether it was placed with this credential, so that `similarTo` knows whether it is similar. */
	isComparable(call: PlannedCall, listed: JsonObject): boolean {
		return this.others(call).some(
			({ account, row }) => account === this.account && hasCallOf(row, listed),
		);
	}

	/** Whether this n8n placed it, to whatever number: then `similarTo` knows whether it is similar. */
	isKnown(listed: JsonObject): boolean {
		return processCalls
			.all()
			.some(({ account, row }) => account === this.account && hasCallOf(row, listed));
	}

	/** Whether another request to the number got no answer, and this call can be its call as well. */
	isDisputed(call: PlannedCall, listed: JsonObject): boolean {
		return this.others(call).some(
			(other) =>
				other.state === 'dialing' &&
				isInTime(createdAtOf(listed), other) &&
				mayConcern(other.load, listed),
		);
	}

	/** Makes a listed call this one's; false when another worker's call has it. */
	async claim({ key }: PlannedCall, { id }: JsonObject): Promise<boolean> {
		return await this.journal.claim(id, key, cancelSignal(this.context));
	}

	/** Which of these listed calls were noted as this one's. */
	async ownAmong({ key }: PlannedCall, listed: readonly JsonObject[]): Promise<JsonObject[]> {
		const known = listed.filter((call) => callIdOf(call) !== undefined);
		const own = await this.journal.ownAmong(known.map(callIdOf), key);
		return known.filter((call) => own.includes(callIdOf(call)));
	}

	/** The request is about to be sent; the service can place its call until then (Unix milliseconds). */
	dialing(call: PlannedCall, from: number, until: number): KnownCall {
		return this.keep({ ...this.describe(call), state: 'dialing', from, until });
	}

	placed(call: PlannedCall, row: IDataObject): void {
		this.done(call, row);
		this.journal.placed(call.key, row.callId);
	}

	/** The call has its row: found in the list, or another call stands for it. */
	done(call: PlannedCall, row: IDataObject): void {
		const known = processCalls.get(call.key) ?? this.describe(call);
		// After a crash only the row says when the call was placed.
		const from = (known.interrupted ? createdAtOf(row) : undefined) ?? known.from;
		this.keep({ ...known, state: 'done', from, row });
	}

	/** The request was sent, and no phone rang. */
	notPlaced(call: PlannedCall): void {
		this.stored.delete(call.key);
		processCalls.set(this.describe(call));
	}

	/** Ends the run: what was not dialed is free again. */
	async close(): Promise<void> {
		const known = [...this.run.keys()].flatMap((key) => processCalls.get(key) ?? []);
		const free = known.filter((call) => call.state === 'noted' || isSkipped(call));
		for (const { key, state } of free) if (state === 'noted') processCalls.delete(key);
		await this.journal.forget(free.map(({ key }) => key));
		const placed = known.filter((call) => call.state === 'done' && !isSkipped(call));
		await this.journal.close(placed.map(({ key, row }) => ({ key, callId: row?.callId })));
	}

	private interrupted(call: PlannedCall): void {
		const now = Date.now();
		const from = Math.min(startOf(this.context) ?? now, now - CRASH_MS);
		this.keep({
			...this.describe(call),
			...{ state: 'dialing', from, until: now, interrupted: true },
		});
	}

	private keep(call: KnownCall): KnownCall {
		processCalls.set(call);
		this.stored.set(call);
		return call;
	}

	private describe(call: PlannedCall): KnownCall {
		return {
			...{ key: call.key, state: 'noted', line: this.lineOf(call), load: loadOf(call) },
			...{ account: this.account, target: this.targetOf(call), from: 0, until: 0 },
			...{ run: runKeyOf(this.context), what: describeCall(call), itemIndex: call.itemIndex },
		};
	}

	private others(call: PlannedCall): KnownCall[] {
		return processCalls
			.onLine(this.lineOf(call))
			.filter((other) => other.key !== call.key && !isSkipped(other));
	}

	private isPlacedElsewhere(call: PlannedCall): boolean {
		return (
			call.skipWithinMs !== undefined &&
			this.similarTo(call).some(
				({ key, state, until }) =>
					!this.run.has(key) && (state === 'noted' || (state === 'dialing' && until > Date.now())),
			)
		);
	}

	/**
	 * What the duplicate guard compares. An agent call is about no load, so that its number alone proves
	 * nothing: the same node must have called with the same agent and variables.
	 */
	private targetOf(call: PlannedCall): string {
		const { toPhone, subject, dynamicVariables = {} } = call;
		const load = loadOf(call);
		if (load !== undefined) return digest([this.account, toPhone, loadKey(load)]);
		const node = nodeKeyOf(this.context);
		return digest([this.account, toPhone, node, subject.agentId, dynamicVariables]);
	}

	private targetToReserve(call: PlannedCall): string | undefined {
		const target = call.skipWithinMs === undefined ? undefined : this.targetOf(call);
		return target !== undefined && this.reserved.has(target) ? undefined : target;
	}
}

function ringOf(known: KnownCall): Ring {
	if (isSkipped(known)) return 'no';
	return known.state === 'done' ? 'yes' : 'maybe';
}

function hasCallOf(row: IDataObject | undefined, listed: JsonObject): boolean {
	const id = callIdOf(listed);
	return row !== undefined && id !== undefined && callIdOf({ id: row.callId }) === id;
}

function isSkipped({ row }: KnownCall): boolean {
	return row?.placement === 'skippedDuplicate';
}
