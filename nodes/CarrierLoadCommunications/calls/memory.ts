import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../shared/service/client';
import { isJsonObject } from '../../shared/service/json';
import type { CallIdentity, KnownCall, PlannedCall, Ring } from './call';
import { runKeyOf } from './keys';
import { lastDigits, matchNumber } from './phone';

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

export interface LookingRun {
	context: IExecuteFunctions;
	client: ServiceClient;
	memory: CallMemory;
	/** How long to look for an unconfirmed call, and for calls that another execution places, in milliseconds. */
	lookForMs: number;
	signal: AbortSignal | undefined;
}

export class CallMemory {
	/** The dialed calls of all nodes of this execution, by key, in its own data. */
	private readonly stored: IDataObject;

	constructor(private readonly context: IExecuteFunctions) {
		const flow = context.getContext('flow');
		this.stored = isJsonObject(flow.placedCalls) ? flow.placedCalls : {};
		flow.placedCalls = this.stored;
		// After a restart, or on another worker, only the execution knows its calls.
		for (const call of this.all()) {
			if (!processCalls.has(call.key)) processCalls.set(call.key, call);
		}
	}

	/** A call that was dialed, or may have been; undefined if it certainly wasn't. */
	recall({ identity: { key } }: PlannedCall): KnownCall | undefined {
		const stored = this.stored[key];
		// The process forgets old calls; the execution keeps all of its own.
		return processCalls.get(key) ?? (isKnownCall(stored) ? stored : undefined);
	}

	/** Whether the call's own request was sent, and a phone may have rung. */
	hasRung(call: PlannedCall): boolean {
		return ringOf(this.recall(call)) !== 'no';
	}

	/** Calls other than these that earlier tries of this run requested. */
	earlierCalls(calls: readonly PlannedCall[]): KnownCall[] {
		const keys = new Set(calls.map(({ identity }) => identity.key));
		const run = runKeyOf(this.context);
		return this.all().filter((call) => call.run === run && !keys.has(call.key));
	}

	/** The request is about to be sent; the service can place its call in that time (Unix milliseconds). */
	dialing({ identity }: PlannedCall, from: number, until: number): KnownCall {
		return this.keep({ ...identity, from, until });
	}

	/** The call has its row: its own, or that of the call it is a duplicate of. */
	done(call: PlannedCall, row: IDataObject): IDataObject {
		const now = Date.now();
		this.keep({ ...(this.recall(call) ?? { ...call.identity, from: now, until: now }), row });
		return row;
	}

	/** The request was sent, and no phone rang. */
	notPlaced({ identity: { key } }: PlannedCall): void {
		delete this.stored[key];
		processCalls.delete(key);
	}

	private all(): KnownCall[] {
		return Object.values(this.stored).filter(isKnownCall);
	}

	keep(call: KnownCall): KnownCall {
		processCalls.set(call.key, call);
		this.stored[call.key] = { ...call };
		return call;
	}
}

/** The node stores nothing else there. */
function isKnownCall(stored: unknown): stored is KnownCall {
	return isJsonObject(stored) && typeof stored.key === 'string' && typeof stored.from === 'number';
}

/** More calls than a broker places in a day; the oldest are forgotten. */
const MAX_CALLS = 10_000;

/** Calls by key, the oldest first, and by what is asked about them. */
class KnownCalls extends Map<string, KnownCall> {
	private readonly labels = new Map<string, readonly string[]>();
	private readonly labeled = new Map<string, Set<string>>();

	override set(key: string, call: KnownCall): this {
		this.delete(key);
		const labels = labelsOf(call);
		this.labels.set(key, labels);
		for (const label of labels) {
			this.labeled.set(label, (this.labeled.get(label) ?? new Set<string>()).add(key));
		}
		const [oldest] = super.set(key, call).keys();
		if (this.size > MAX_CALLS && oldest !== undefined) this.delete(oldest);
		return this;
	}

	override delete(key: string): boolean {
		for (const label of this.labels.get(key) ?? []) {
			const keys = this.labeled.get(label);
			keys?.delete(key);
			if (keys?.size === 0) this.labeled.delete(label);
		}
		this.labels.delete(key);
		return super.delete(key);
	}

	override clear(): void {
		for (const each of [this.labels, this.labeled]) each.clear();
		super.clear();
	}

	/** Without those that were skipped. */
	with(label: string): KnownCall[] {
		const calls = [...(this.labeled.get(label) ?? [])].flatMap((key) => this.get(key) ?? []);
		return calls.filter(({ row }) => !isSkipped(row));
	}
}

/** The calls of all executions and nodes of this n8n process. */
export const processCalls = new KnownCalls();

/** The number called, the service's call, and the number it came from, by its last digits. */
function labelsOf({ phoneKey, account, row }: KnownCall): string[] {
	const to = `to ${phoneKey}`;
	if (row === undefined) return [to];
	const from = lastDigits(row.fromPhone) ?? String(row.fromPhone).replace(/\D/g, '').slice(-7);
	return [to, `ID ${account} ${String(row.callId).trim()}`, `from ${account} ${from}`];
}

/** This process's other calls to a call's number. */
export function otherCalls({ identity: { key, phoneKey } }: PlannedCall): KnownCall[] {
	return processCalls.with(`to ${phoneKey}`).filter((other) => other.key !== key);
}

/** Whether a known call went to another extension: one may be left out at times. */
export function hasOtherExtension({ identity }: PlannedCall, { extension }: KnownCall): boolean {
	if (extension === undefined || identity.extension === undefined) return false;
	return extension !== identity.extension;
}

/** Whether a call of the service, to any number, is known to be another request's. */
export function isOfOtherRequest({ account, key }: CallIdentity, id: string | undefined): boolean {
	if (id === undefined) return false;
	return processCalls.with(`ID ${account} ${id}`).some((other) => other.key !== key);
}

/** Whether an account's calls came from a number. */
export function isOwnNumber({ toPhone, identity: { account } }: PlannedCall): boolean {
	const own = processCalls.with(`from ${account} ${lastDigits(toPhone)}`);
	return own.some(({ row }) => matchNumber(toPhone, row?.fromPhone) === 'same');
}

/** Whether a known call is the service's call with this ID. */
export function hasId({ row }: KnownCall, id: string | undefined): boolean {
	return row !== undefined && String(row.callId).trim() === id;
}

const queues = new Map<string, Promise<unknown>>();

/** Runs tasks one at a time per key, in order, across all executions of this process. */
export async function runExclusive<Result>(key: string, work: () => Promise<Result>) {
	const mine = (queues.get(key) ?? Promise.resolve()).then(work);
	const done = mine.catch(() => {});
	queues.set(key, done);
	try {
		return await mine;
	} finally {
		if (queues.get(key) === done) queues.delete(key);
	}
}

/** Whether a phone rang for a call itself, rather than for the one it is a duplicate of. */
export function ringOf(known: KnownCall | undefined): Ring {
	if (known === undefined || isSkipped(known.row)) return 'no';
	return known.row ? 'yes' : 'maybe';
}

export function isSkipped(row: IDataObject | undefined): boolean {
	return row?.placement === 'skippedDuplicate';
}
