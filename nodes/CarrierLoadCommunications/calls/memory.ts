import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../shared/service/json';
import { isSkipped, ringOf, type CallIdentity, type KnownCall, type PlannedCall } from './call';
import { runKeyOf } from './keys';

// Which memory answers which question, and for how long:
//
// | Question                                        | Memory                         | How long            |
// | ----------------------------------------------- | ------------------------------ | ------------------- |
// | Did an earlier try of this item place its call? | the execution's own data       | as the execution    |
// | Is another execution placing this call?         | this process, the guard's table| the call; 10 min    |
// | Was the same call placed within the minutes?    | this process, the call list    | the last 10,000;    |
// |                                                 |                                | as the service      |
// | Which request does a listed call belong to?     | this process                   | the last 10,000     |
// | How often was this person called today?         | the call list, this process    | 24 hours            |
//
// The execution's data survives Retry On Fail, the editor's retry and a wait (n8n-core 2.41:
// `getContext('flow')`), not a killed process: n8n 2 then starts nothing again on its own. The table
// (guard.ts) is shared by all workers, and the list (callList.ts) by everyone.

/** What an execution and this process know of calls. */
export class CallMemory {
	private readonly stored: StoredCalls;

	constructor(private readonly context: IExecuteFunctions) {
		this.stored = new StoredCalls(context);
		// After a restart, or on another worker, only the execution knows its calls.
		for (const call of this.stored.all()) if (!processCalls.get(call.key)) processCalls.set(call);
	}

	/** A call that was dialed, or may have been; undefined if it certainly wasn't. */
	recall({ identity }: PlannedCall): KnownCall | undefined {
		// The process forgets old calls; the execution keeps all of its own.
		return processCalls.get(identity.key) ?? this.stored.get(identity.key);
	}

	/** Whether the call's own request was sent, and a phone may have rung. */
	hasRung(call: PlannedCall): boolean {
		return ringOf(this.recall(call)) !== 'no';
	}

	/**
	 * Whether the event about a call comes to this execution: its own request placed it. Not if it is an
	 * earlier call, or if this is the retry of an execution that has ended.
	 */
	expectsEvent(call: PlannedCall): boolean {
		const known = this.recall(call);
		if (known === undefined || isSkipped(known)) return false;
		return known.execution === this.context.getExecutionId();
	}

	/** Calls other than these that earlier tries of this run requested. */
	earlierCalls(calls: readonly PlannedCall[]): KnownCall[] {
		const keys = new Set(calls.map(({ identity }) => identity.key));
		const run = runKeyOf(this.context);
		return this.stored.all().filter((call) => call.run === run && !keys.has(call.key));
	}

	/** The request is about to be sent; the service can place its call in that time (Unix milliseconds). */
	dialing({ identity }: PlannedCall, from: number, until: number): KnownCall {
		return this.keep({ ...identity, state: 'dialing', from, until });
	}

	/** Why it isn't known whether a call was placed, for the error of a later try. */
	unclear(lost: KnownCall, why: string): void {
		this.keep({ ...lost, why });
	}

	/** The call has its row: its own, or that of the call it is a duplicate of. */
	done(call: PlannedCall, row: IDataObject): IDataObject {
		const now = Date.now();
		const known = this.recall(call) ?? { ...call.identity, from: now, until: now };
		this.keep({ ...known, state: 'done', row });
		return row;
	}

	/** The request was sent, and no phone rang. */
	notPlaced({ identity }: PlannedCall): void {
		this.stored.delete(identity.key);
		processCalls.delete(identity.key);
	}

	private keep(call: KnownCall): KnownCall {
		processCalls.set(call);
		this.stored.set(call);
		return call;
	}
}

/** The dialed calls of all nodes of an execution, in the execution's own data. */
class StoredCalls {
	private readonly calls: IDataObject;

	constructor(context: IExecuteFunctions) {
		const memory = context.getContext('flow');
		this.calls = isJsonObject(memory.placedCalls) ? memory.placedCalls : {};
		memory.placedCalls = this.calls;
	}

	all(): KnownCall[] {
		return Object.keys(this.calls).flatMap((key) => this.get(key) ?? []);
	}

	get(key: string): KnownCall | undefined {
		const stored = this.calls[key];
		return isJsonObject(stored) ? readStored(key, stored) : undefined;
	}

	set({ key, ...call }: KnownCall): void {
		this.calls[key] = { ...call };
	}

	delete(key: string): void {
		delete this.calls[key];
	}
}

function readStored(key: string, stored: IDataObject): KnownCall {
	const { state, extension, load, dotNumber, nextStopIndex, row, why } = stored;
	return {
		key,
		state: state === 'done' && isJsonObject(row) ? 'done' : 'dialing',
		phoneKey: String(stored.phoneKey),
		extension: typeof extension === 'string' ? extension : undefined,
		account: String(stored.account),
		duplicateKey: String(stored.duplicateKey),
		load: typeof load === 'string' ? load : undefined,
		dotNumber: typeof dotNumber === 'number' ? dotNumber : undefined,
		nextStopIndex: typeof nextStopIndex === 'number' ? nextStopIndex : undefined,
		from: Number(stored.from),
		until: Number(stored.until),
		run: String(stored.run),
		execution: String(stored.execution),
		what: String(stored.what),
		itemIndex: Number(stored.itemIndex),
		...(isJsonObject(row) && { row }),
		...(typeof why === 'string' && { why }),
	};
}

/** More calls than a broker places in a day; the oldest are forgotten. */
const MAX_CALLS = 10_000;

class ProcessCalls {
	private readonly byKey = new Map<string, KnownCall>();
	private readonly byPhone = new Map<string, Map<string, KnownCall>>();

	get(key: string): KnownCall | undefined {
		return this.byKey.get(key);
	}

	all(): KnownCall[] {
		return [...this.byKey.values()];
	}

	/** Those to a number, whatever its extension. */
	to(phoneKey: string): KnownCall[] {
		return [...(this.byPhone.get(phoneKey)?.values() ?? [])];
	}

	set(call: KnownCall): void {
		this.delete(call.key);
		this.byKey.set(call.key, call);
		const sameNumber = this.byPhone.get(call.phoneKey) ?? new Map<string, KnownCall>();
		this.byPhone.set(call.phoneKey, sameNumber.set(call.key, call));
		const [oldest] = this.byKey.keys();
		if (this.byKey.size > MAX_CALLS && oldest !== undefined) this.delete(oldest);
	}

	delete(key: string): void {
		const call = this.byKey.get(key);
		if (call === undefined) return;
		this.byKey.delete(key);
		const sameNumber = this.byPhone.get(call.phoneKey);
		sameNumber?.delete(key);
		if (sameNumber?.size === 0) this.byPhone.delete(call.phoneKey);
	}
}

/** The calls of all executions and nodes of this n8n process. */
export const processCalls = new ProcessCalls();

/** This process's other calls to a call's number, without those that were skipped. */
export function otherCalls({ identity }: PlannedCall): KnownCall[] {
	return processCalls
		.to(identity.phoneKey)
		.filter((other) => other.key !== identity.key && !isSkipped(other));
}

/** Whether a known call went to another extension: one may be left out at times. */
export function hasOtherExtension({ identity }: PlannedCall, { extension }: KnownCall): boolean {
	if (extension === undefined || identity.extension === undefined) return false;
	return extension !== identity.extension;
}

/** Whether a call of the service, to any number, is known to be another request's. */
export function isOfOtherRequest({ account, key }: CallIdentity, id: string | undefined): boolean {
	return processCalls
		.all()
		.some(
			(other) =>
				hasId(other, id) && other.key !== key && other.account === account && !isSkipped(other),
		);
}

/** The numbers that an account's calls came from. */
export function callersOf({ account }: CallIdentity): unknown[] {
	const own = processCalls.all().filter((call) => call.account === account);
	return [...new Set(own.map(({ row }) => row?.fromPhone))];
}

/** Whether a known call is the service's call with this ID. */
export function hasId({ row }: KnownCall, id: string | undefined): boolean {
	return row !== undefined && String(row.callId).trim() === id;
}

const queues = new Map<string, Promise<void>>();

/**
 * Runs tasks one at a time per key, in order, across all executions of this process. Returns what
 * the task returns, and throws what it throws.
 */
export async function runExclusive<Result>(
	key: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const before = queues.get(key) ?? Promise.resolve();
	const mine = before.then(work);
	const done = mine.then(
		() => {},
		() => {},
	);
	queues.set(key, done);
	try {
		return await mine;
	} finally {
		if (queues.get(key) === done) queues.delete(key);
	}
}
