import type { Archive } from '../data/archive.mts';
import type { ActiveFaultRules } from '../faults/fault-rules.mts';
import type { WritableLedger } from '../ledger.mts';
import type { OrganizationName } from '../types.mts';
import type { Courier } from '../webhooks/courier.mts';

/** What the endpoints work with. */
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
	/** Aborted when the sandbox closes. */
	closing: AbortSignal;
}
