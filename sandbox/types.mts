import type { Fault, FaultTarget } from './faults.mts';
import type { CallContent } from './data/transcripts.mts';
import type { EventShape, WebhookEvent } from './webhooks.mts';

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

export interface CallEnding {
	content: CallContent;
	/** Receives the event that the sandbox would send. */
	send(event: WebhookEvent): Promise<void>;
}

export interface SandboxOptions {
	/** 0 (the default) takes any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** Past calls of each organization. Default 1000. Made up when a list is first read. */
	calls?: number;
	/** The same seed, count and clock produce the same records. Default 1. */
	seed?: number;
	/**
	 * Added to the IDs of all calls and conversations. Default 0. `newIds()` gives a number that no earlier
	 * start had, for a sandbox whose calls are kept by something that outlives it.
	 */
	idOffset?: number;
	/** The past calls are spread over this many days before the start. Default 90. */
	historyDays?: number;
	/** From placing a call to its summary, transcript, recording and webhook. Default 50. Infinity: calls end only with `finishCalls()`. */
	callDelayMs?: number;
	/** Where to send webhook events. Without it, none are sent. */
	webhookUrl?: string;
	/** Signs webhooks when set. */
	webhookSecret?: string;
	/** Delivery attempts per event. Default 4. */
	webhookAttempts?: number;
	/** Milliseconds before the second attempt; doubles each time. Default 100. */
	webhookBackoffMs?: number;
	/** Also send `call.started`. Default false. */
	startedEvents?: boolean;
	/** Shape of the events. If set, events during a call are sent, too. Default `nested`, without. */
	events?: EventShape;
	/** How a call ends: what the list shows, and what is sent in place of one event. Default: made up. */
	endingOf?: (call: DialedCall) => CallEnding | undefined;
	/** Milliseconds added to every response. Default 0. */
	latencyMs?: number;
	/** The sandbox's clock. Default: the system clock. */
	now?: () => Date;
	/** Contract 4.9 does not define the order of lists. Default newest first. */
	order?: 'newestFirst' | 'oldestFirst';
	/** Contract 4.9 does not say whether time bounds are inclusive. Of lists and analytics. Default inclusive. */
	bounds?: 'inclusive' | 'exclusive';
	/** Maximum analytics days per response; `pagination.total` counts them all. Default 366. */
	analyticsDays?: number;
}

/** How often a rule applies: a count, or "always" (same as Infinity). */
export type Times = number | 'always';

export interface FaultRule {
	endpoint: FaultTarget;
	fault: Fault;
	/** Default 1. */
	times?: Times;
	/** Requests to leave alone before the rule first applies. Default 0. */
	skip?: number;
	/** Only for this organization's requests. */
	organization?: OrganizationName;
}

export interface LedgerRequest {
	/** ISO 8601, by the sandbox's clock. */
	at: string;
	/** `unknown`: the service has no such path. */
	endpoint: EndpointName | 'unknown';
	method: string;
	path: string;
	query: Record<string, unknown>;
	/** Without Authorization. */
	headers: Record<string, unknown>;
	body: unknown;
	/** null: missing or invalid token. */
	organization: OrganizationName | null;
	/** null until there is a response (there is none after a reset or a hang). */
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
	/** The receiver's status. null: no response, `error` says why. */
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
	/** Throws when a rule is invalid. */
	add(...rules: FaultRule[]): void;
	/** The rules that can still apply. */
	list(): FaultRule[];
	clear(): void;
}

/** Fields of records to insert. Missing ones are made up. */
export interface InsertedRecords {
	organization?: OrganizationName;
	/** Default 1. Each is a call with its conversation and bid. */
	count?: number;
	/** ISO 8601. Default: now. Several records are one millisecond apart and end at this time. */
	createdAt?: string;
	loadId?: string;
	mcNumber?: string;
	toPhone?: string;
	summary?: string;
	transcript?: string;
	/** With commas between them. Default: those of a bid. */
	tags?: string;
}

/** What the sandbox's page shows of an inserted call. */
export interface InsertedCall {
	callId: number;
	/** ISO 8601. */
	at: string;
	/** Who called. */
	phone: string;
	load: string;
	summary: string;
	transcript: string;
}

export interface WebhookAddress {
	/** null: send none. */
	url: string | null;
	/** null: do not sign. */
	secret?: string | null;
}

export interface DeliverOptions {
	/** Default: the configured URL. */
	url?: string;
	/** Default: the configured secret; null: unsigned. */
	secret?: string | null;
	/** Replaces or adds headers. */
	headers?: Record<string, string>;
	/** Unix seconds to sign with. Default: now. */
	timestamp?: number;
	/** Sent as is instead of the event, and still signed. */
	rawBody?: string;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT`, without a trailing slash. */
	readonly baseUrl: string;
	readonly port: number;
	/** The bearer tokens of two organizations, which never see each other's records. */
	readonly tokens: Readonly<Record<OrganizationName, string>>;
	readonly faults: FaultRules;
	readonly ledger: Ledger;
	setWebhook(address: WebhookAddress): void;
	/**
	 * Pre-fills the form "Pretend to be the TMS" on the sandbox's page. The headers are sent to this URL
	 * only.
	 */
	setTmsUrl(url: string, headers?: Record<string, string>): void;
	/** Pre-fills the form "Sample webhook event" on the sandbox's page. */
	setTestUrl(url: string): void;
	insert(records: InsertedRecords): number[];
	/** Sends one event now, without retries: a sample with the fields of `event`. */
	deliver(event?: Record<string, unknown>, options?: DeliverOptions): Promise<Delivery>;
	/** Ends every call in progress now, including its webhook, regardless of callDelayMs. */
	finishCalls(): Promise<void>;
	/** Resolves when no call is in progress and no webhook delivery is pending. */
	whenIdle(): Promise<void>;
	close(): Promise<void>;
}
