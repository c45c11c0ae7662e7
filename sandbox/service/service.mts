import type { CallRecord } from '../contract.mts';
import type { Archive } from '../data/archive.mts';
import type { ActiveFaultRules } from '../faults.mts';
import type {
	Delivery,
	DialedCall,
	EndpointName,
	InsertedCall,
	Ledger,
	LedgerRequest,
	OrganizationName,
	SandboxOptions,
} from '../types.mts';
import type { Courier } from '../webhooks.mts';

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
	/** How a call ends, if not as the sandbox makes it up. */
	endingOf: SandboxOptions['endingOf'];
	/** Whether events are also sent during a call. */
	liveEvents: boolean;
	/** Aborted when the sandbox closes. */
	closing: AbortSignal;
}

/** The ledger, with methods to record requests, dialed calls and webhook deliveries. */
export interface WritableLedger extends Ledger {
	writeRequest(request: LedgerRequest): void;
	writeCall(call: DialedCall): void;
	writeDelivery(delivery: Delivery): void;
}

/** Creates an empty ledger. Its getters return copies of the lists. */
export function createLedger(): WritableLedger {
	let requests: LedgerRequest[] = [];
	let dialed: DialedCall[] = [];
	let deliveries: Delivery[] = [];
	return {
		writeRequest: (request) => void requests.push(request),
		writeCall: (call) => void dialed.push(call),
		writeDelivery: (delivery) => void deliveries.push(delivery),
		requests: (endpoint?: EndpointName | 'unknown') =>
			requests.filter((request) => endpoint === undefined || request.endpoint === endpoint),
		dialed: () => [...dialed],
		deliveries: () => [...deliveries],
		clear() {
			requests = [];
			dialed = [];
			deliveries = [];
		},
	};
}
