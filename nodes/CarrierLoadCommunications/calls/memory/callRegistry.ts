import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { cancelSignal } from '../../../shared/service/http/cancellation';
import type { JsonObject } from '../../../shared/service/http/json';
import { timeOf } from '../../../shared/service/recordTime';
import { callIdOf } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { CallJournal } from './journal/callJournal';
import { runKeyOf, startOf } from './execution';
import { isSkipped, processCalls, ringOf, type KnownCall, type Ring } from './knownCalls';
import { RunNotes } from './runNotes';
import { StoredCalls } from './storedCalls';

/** How far back to look for a call if a crash lost the time at which it was dialed. */
const CRASH_MS = 60 * 60_000;

/**
 * The one answer to "whose call is this?", from three memories: the execution's own data (survives
 * its retries), this process (all executions and nodes), and n8n's database (other workers, and what
 * was noted before a crash).
 */
export class CallRegistry {
	readonly notes: RunNotes;
	private readonly journal: CallJournal;
	private readonly stored: StoredCalls;
	private closing: Promise<void> | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.journal = new CallJournal(context);
		this.stored = new StoredCalls(context);
		this.notes = new RunNotes(this.journal);
		for (const key of this.stored.keys()) {
			const call = processCalls.get(key) ? undefined : this.stored.get(key);
			if (call === undefined) continue;
			// Only the process that sent the request knows whose else a listed call could be.
			processCalls.set(call.state === 'dialing' ? { ...call, interrupted: true } : call);
		}
	}

	/** Why calls of other workers can't be seen; undefined if they can. */
	get problem(): string | undefined {
		return this.journal.problem;
	}

	/** What is known of a call. The process forgets old ones; the execution keeps all of its own. */
	stateOf({ known }: PlannedCall): KnownCall {
		return processCalls.get(known.key) ?? this.stored.get(known.key) ?? known;
	}

	/** A call that was dialed, or may have been; undefined if it certainly wasn't. */
	recall(call: PlannedCall): KnownCall | undefined {
		const known = this.stateOf(call);
		return known.state === 'noted' ? undefined : known;
	}

	ringOf(call: PlannedCall): Ring {
		return ringOf(this.stateOf(call));
	}

	/**
	 * Whether the event about a call comes to this execution: its own request placed it. Not if it is an
	 * earlier call, or if this is the retry of an execution that has ended.
	 */
	expectsEvent(call: PlannedCall): boolean {
		const known = this.recall(call);
		if (known === undefined || isSkipped(known)) return false;
		// After a crash, the table doesn't say which execution requested it.
		if (known.interrupted && this.context.getMode() === 'retry') return false;
		return known.execution === this.context.getExecutionId();
	}

	/** Calls other than these that earlier tries of this run requested. */
	earlierCalls(calls: readonly PlannedCall[]): KnownCall[] {
		const keys = new Set(calls.map(({ known }) => known.key));
		return this.stored.ofRun(runKeyOf(this.context)).filter(({ key }) => !keys.has(key));
	}

	/** Notes calls, all in one write, before they are dialed. */
	async note(calls: readonly PlannedCall[]): Promise<void> {
		const fresh = calls.filter(
			(call) => processCalls.get(call.known.key) === undefined && this.recall(call) === undefined,
		);
		const begun = await this.notes.note(fresh, cancelSignal(this.context));
		const until = Date.now();
		const from = Math.min(startOf(this.context) ?? until, until - CRASH_MS);
		for (const call of begun) this.keep({ ...this.dialing(call, from, until), interrupted: true });
	}

	/** Claims a listed call for this one; false if it belongs to another worker's call. */
	async claim({ known }: PlannedCall, { id }: JsonObject): Promise<boolean> {
		return await this.journal.listed.claim(id, known.key);
	}

	/** Which of these listed calls were noted as this one's. */
	async ownAmong({ known }: PlannedCall, listed: readonly JsonObject[]): Promise<JsonObject[]> {
		const readable = listed.filter((call) => callIdOf(call) !== undefined);
		const own = await this.journal.listed.ownAmong(readable.map(callIdOf), known.key);
		return readable.filter((call) => own.includes(callIdOf(call)));
	}

	/** The request is about to be sent; the service can place its call in that time (Unix milliseconds). */
	dialing({ known }: PlannedCall, from: number, until: number): KnownCall {
		return this.keep({ ...known, state: 'dialing', from, until });
	}

	/** Why it isn't known whether a call was placed, for the error of a later try. */
	unclear(call: PlannedCall, why: string): void {
		this.keep({ ...this.stateOf(call), why });
	}

	placed(call: PlannedCall, row: IDataObject): IDataObject {
		this.keep({ ...this.stateOf(call), state: 'done', from: Date.now(), row });
		this.journal.placed(call.known.key, row.callId);
		return row;
	}

	/** The call has its row: its own, or that of the call it is a duplicate of. */
	done(call: PlannedCall, row: IDataObject): IDataObject {
		const known = this.stateOf(call);
		// After a crash, only the row says when the call was placed.
		const from = (known.interrupted ? timeOf(row)?.ms : undefined) ?? known.from;
		this.keep({ ...known, state: 'done', from, row });
		return row;
	}

	/** The request was sent, and no phone rang. */
	notPlaced({ known }: PlannedCall): void {
		this.stored.delete(known.key);
		processCalls.set(known);
	}

	/** Ends the run: others may place what was not dialed. Does it once. */
	async close(): Promise<void> {
		this.closing ??= this.notes.close();
		await this.closing;
	}

	private keep(call: KnownCall): KnownCall {
		processCalls.set(call);
		this.stored.set(call);
		return call;
	}
}
