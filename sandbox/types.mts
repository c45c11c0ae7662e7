import type { Fault, FaultTarget } from './faults/fault-schema.mts';

export type EndpointName =
	| 'listConversations'
	| 'listCalls'
	| 'listBids'
	| 'searchCarriers'
	| 'getAnalytics'
	| 'triggerCheckCall'
	| 'triggerCarrierSalesCall'
	| 'createAgentCall'
	| 'recording';

export type OrganizationName = 'north' | 'south';

export type CallKind = 'checkCall' | 'carrierSalesCall' | 'agentCall';

export interface SandboxOptions {
	/** 0 (the default) takes any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** Calls in each organization's history. Default 1000. They are made when they are read. */
	calls?: number;
	/** The same seed, count and clock give the same records. Default 1. */
	seed?: number;
	/** The days up to the sandbox's start over which the history is spread. Default 90. */
	historyDays?: number;
	/** From placing a call to its summary, transcript, recording and webhook. Default 50. Infinity: only `finishCalls()` ends a call. */
	callDelayMs?: number;
	/** Where webhooks go. None are sent without it. */
	webhookUrl?: string;
	/** Signs webhooks when set. */
	webhookSecret?: string;
	/** Deliveries tried for one event before it is given up. Default 4. */
	webhookAttempts?: number;
	/** Wait before the second delivery; doubles each time. Default 100. */
	webhookBackoffMs?: number;
	/** Send `call.started` too. Default false. */
	startedEvents?: boolean;
	/** Added to every answer. Default 0. */
	latencyMs?: number;
	/** The sandbox's clock. Default: the real one. */
	now?: () => Date;
	/** Contract 4.9 does not say in which order lists come. Default newest first. */
	order?: 'newestFirst' | 'oldestFirst';
	/** Contract 4.9 does not say whether time bounds are inclusive. Default inclusive. */
	bounds?: 'inclusive' | 'exclusive';
	/** Analytics days in one answer; `pagination.total` tells of the rest. Default 366. */
	analyticsDays?: number;
}

/** How often a rule strikes: a count, or "always" (Infinity means the same). */
export type Times = number | 'always';

export interface FaultRule {
	endpoint: FaultTarget;
	fault: Fault;
	/** Default 1. */
	times?: Times;
	/** Requests let through before the first strike. Default 0. */
	skip?: number;
	/** Only for this organization's requests. */
	organization?: OrganizationName;
}

export interface LedgerRequest {
	/** ISO 8601, by the sandbox's clock. */
	at: string;
	/** `unknown` is a path that the service does not have. */
	endpoint: EndpointName | 'unknown';
	method: string;
	path: string;
	query: Record<string, unknown>;
	/** All but Authorization. */
	headers: Record<string, unknown>;
	body: unknown;
	/** null: no token, or a wrong one. */
	organization: OrganizationName | null;
	/** null while nothing was answered (for good, after a reset or a hang). */
	status: number | null;
	/** The same number means the same TCP connection. */
	connection: number;
}

export interface DialedCall {
	callId: number;
	conversationId: number;
	kind: CallKind;
	organization: OrganizationName;
	toPhone: string;
	loadNumber?: string;
	loadId?: string;
	dotNumber?: number;
	agentId?: string;
	metadata?: Record<string, string | number>;
	dynamicVariables?: Record<string, unknown>;
	/** The whole request body. */
	body: Record<string, unknown>;
	/** ISO 8601, by the sandbox's clock. */
	at: string;
}

/** One attempt to deliver one webhook event. */
export interface Delivery {
	eventId: string;
	event: string;
	url: string;
	/** 1 is the first. */
	attempt: number;
	/** The receiver's answer; null: none came, `error` says why. */
	status: number | null;
	error?: string;
	/** The event as it was sent. */
	payload: unknown;
	at: string;
}

export interface Ledger {
	requests(endpoint?: EndpointName | 'unknown'): LedgerRequest[];
	dialed(): DialedCall[];
	deliveries(): Delivery[];
	clear(): void;
}

export interface FaultRules {
	/** Throws when the rule is not a valid one. */
	add(...rules: FaultRule[]): void;
	/** The rules that can still strike. */
	list(): FaultRule[];
	clear(): void;
}

/** Fields of a record to insert; what is left out is made up. */
export interface InsertedRecords {
	organization?: OrganizationName;
	/** Default 1. Each is a call with its conversation and its bid. */
	count?: number;
	/** ISO 8601; default: now. Several records come one millisecond apart, ending here. */
	createdAt?: string;
	loadId?: string;
	mcNumber?: string;
	toPhone?: string;
	summary?: string;
}

export interface WebhookAddress {
	/** null: send none. */
	url: string | null;
	/** null: do not sign. */
	secret?: string | null;
}

export interface DeliverOptions {
	/** Default: the configured address. */
	url?: string;
	/** Default: the configured secret; null: unsigned. */
	secret?: string | null;
	/** Replaces or adds headers. */
	headers?: Record<string, string>;
	/** Unix seconds to sign with. Default: now. */
	timestamp?: number;
	/** Sent instead of the event, as it is. Signed all the same. */
	rawBody?: string;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT`, without a slash at the end. */
	readonly baseUrl: string;
	readonly port: number;
	/** Two organizations' bearer tokens. Neither ever sees the other's records. */
	readonly tokens: Readonly<Record<OrganizationName, string>>;
	readonly faults: FaultRules;
	readonly ledger: Ledger;
	setWebhook(address: WebhookAddress): void;
	/** Pre-fills the form "Pretend to be the TMS" on the sandbox's page. */
	setTmsUrl(url: string): void;
	insert(records: InsertedRecords): number[];
	/** Sends one event now, once, without retries: a sample, overridden by `event`. */
	deliver(event?: Record<string, unknown>, options?: DeliverOptions): Promise<Delivery>;
	/** Ends every call in progress now, webhook included, whatever callDelayMs is. */
	finishCalls(): Promise<void>;
	/** Resolves when no call is in progress and no webhook is on its way. */
	whenIdle(): Promise<void>;
	close(): Promise<void>;
}
