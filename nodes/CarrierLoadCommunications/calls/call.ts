import type { IDataObject } from 'n8n-workflow';

import type { Metadata, CallTarget } from '../../shared/service/contract';
import type { JsonObject } from '../../shared/service/json';

/** Whom to call about what, and what to send with it. */
export interface CallDetails extends CallTarget {
	/** In the contract's format (4.5): +13125550188;ext=204 */
	toPhone: string;
	/** The item's own number, if the test number is called instead. */
	intendedPhone?: string | undefined;
	/** Which setting decided that. */
	testedBy?: string | undefined;
	contact?: string | undefined;
	metadata?: Metadata | undefined;
	dynamicVariables?: Record<string, unknown> | undefined;
}

export interface CallIdentity {
	/** All tries of an item have the same. */
	key: string;
	/** The phone number without its extension. */
	phoneKey: string;
	extension: string | undefined;
	/** The credential. */
	account: string;
	/** What the duplicate guard compares besides the number: kind, load and DOT number, or the agent. */
	duplicateKey: string;
	/** Undefined for an agent call. */
	load: string | undefined;
	dotNumber: number | undefined;
	nextStopIndex: number | undefined;
	/** The node's run in its execution: all tries of it have the same. */
	run: string;
	/** The ID of the execution that requests it, to which its webhook event goes. */
	execution: string;
	/** "check call to (312) 555-0188 (load 48213)" */
	what: string;
	itemIndex: number;
}

export interface PlannedCall extends CallDetails {
	identity: CallIdentity;
	/** The duplicate guard's time in milliseconds; undefined if it is off. */
	skipWithinMs: number | undefined;
	body: object;
	readAnswer(answer: JsonObject, words: string | undefined): CallAnswer;
}

/** What a response means: `refused` with the service's words, if any; `unclear` why, in half a sentence. */
export type CallAnswer =
	| { placed: JsonObject }
	| { refused: string | undefined }
	| { unclear: string };

/** What is remembered of a call once its request may have been sent. */
export interface KnownCall extends CallIdentity {
	/** When the service can have placed it, as Unix milliseconds. */
	from: number;
	until: number;
	/** The item's result; undefined as long as it isn't known whether the call was placed. */
	row?: IDataObject;
	/** Why it isn't known whether it was placed: a sentence without its period. */
	why?: string;
}

/**
 * How an item got its call: `placed` now; `reconciled`, found in the call list after its response
 * was lost; `skippedDuplicate`, an earlier call. Items with the other values have no call: a calling
 * rule prevented it, or it was a dry run, in which an item `wouldFail` that stops the node when live.
 */
export type Placement =
	| 'placed'
	| 'reconciled'
	| 'skippedDuplicate'
	| 'dryRun'
	| 'wouldFail'
	| 'outsideHours'
	| 'doNotCall';

export interface Refusal {
	/** Whether the item is returned without a call instead of failing, and with which placement. */
	skippedAs?: Extract<Placement, 'outsideHours' | 'doNotCall' | 'dryRun'>;
	/** A few words for a column: "3:20 AM in Chicago". */
	inShort?: string;
	/** A sentence without its period, like the advice: what the user can do. */
	reason: string;
	advice: string;
	/** When the rule first allows the call: ISO 8601, UTC. */
	nextAllowedAt?: string;
}

export type Ring = 'no' | 'maybe' | 'yes';
