import type { Archive } from '../data/archive.mts';
import type { ActiveFaultRules } from '../faults/fault-rules.mts';
import type { WritableLedger } from '../ledger.mts';
import type { CallRecord } from '../contract/call.mts';
import type { DialedCall, InsertedCall, OrganizationName } from '../types.mts';
import type { Courier } from '../webhooks/courier.mts';

/** What the endpoints share. */
export interface Service {
	now(): Date;
	/** `http://127.0.0.1:PORT`, known once it listens. */
	url(): string;
	archives: Record<OrganizationName, Archive>;
	faults: ActiveFaultRules;
	ledger: WritableLedger;
	courier: Courier;
	oldestFirst: boolean;
	exclusiveBounds: boolean;
	analyticsDays: number;
	callDelayMs: number;
	latencyMs: number;
	startedEvents: boolean;
	/** The next check call reports a delay; one call uses it up. */
	nextDriverIsLate: boolean;
	/** Where the page sends TMS events unless the user enters another URL. */
	tmsUrl: string | null;
	/** What the page sends to that URL as headers, and nowhere else. */
	tmsHeaders: Record<string, string>;
	/** The list record of each placed call, which gets its summary when the call ends. */
	callRecords: WeakMap<DialedCall, CallRecord>;
	/** Calls that were inserted: carriers calling in. */
	insertedCalls: InsertedCall[];
	/** Where the page sends sample events unless the user enters another URL. */
	testUrl: string | null;
	/** Whether events are also sent during a call. */
	liveEvents: boolean;
	/** Aborted when the sandbox closes. */
	closing: AbortSignal;
}
