import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../shared/service/client';
import { isJsonObject } from '../../shared/service/json';
import type { CallIdentity, KnownCall, PlannedCall, Ring } from './call';
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
		for (const call of this.all()) if (!processCalls.has(call.key)) remember(call);
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
		remember(call);
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

/** The calls of all executions and nodes of this n8n process, by key, the oldest first. */
export const processCalls = new Map<string, KnownCall>();

export function remember(call: KnownCall): void {
	processCalls.delete(call.key);
	processCalls.set(call.key, call);
	const [oldest] = processCalls.keys();
	if (processCalls.size > MAX_CALLS && oldest !== undefined) processCalls.delete(oldest);
}

/** This process's other calls to a call's number, without those that were skipped. */
export function otherCalls({ identity: { key, phoneKey } }: PlannedCall): KnownCall[] {
	return [...processCalls.values()].filter(
		(other) => other.phoneKey === phoneKey && other.key !== key && !isSkipped(other.row),
	);
}

/** Whether a known call went to another extension: one may be left out at times. */
export function hasOtherExtension({ identity }: PlannedCall, { extension }: KnownCall): boolean {
	if (extension === undefined || identity.extension === undefined) return false;
	return extension !== identity.extension;
}

/** Whether a call of the service, to any number, is known to be another request's. */
export function isOfOtherRequest({ account, key }: CallIdentity, id: string | undefined): boolean {
	return [...processCalls.values()].some(
		(other) =>
			other.account === account && other.key !== key && hasId(other, id) && !isSkipped(other.row),
	);
}

/** The numbers that an account's calls came from. */
export function callersOf({ account }: CallIdentity): unknown[] {
	const own = [...processCalls.values()].filter((call) => call.account === account);
	return [...new Set(own.map(({ row }) => row?.fromPhone))];
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
