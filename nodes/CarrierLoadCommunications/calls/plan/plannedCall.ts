import type { CallKind, CallTarget } from '../../../shared/service/callEndpoints';
import type { Metadata } from '../../../shared/service/contract';
import type { JsonObject } from '../../../shared/service/http/json';
import type { CallAnswer } from '../dial/callAnswer';
import type { KnownCall } from '../memory/knownCalls';
import type { CallingRules } from '../rules/callingRules';

/** Whom to call about what, and what to send with it. */
export interface CallDetails extends CallTarget {
	/** In the contract's format (4.5): +13125550188;ext=204 */
	toPhone: string;
	/** The item's own number, if the test number is called instead (Calling Rules). */
	insteadOf?: string | undefined;
	metadata?: Metadata | undefined;
	dynamicVariables?: Record<string, unknown> | undefined;
}

/** One item's call, checked and ready to be dialed. */
export interface PlannedCall extends CallDetails {
	/** What is remembered of it before it is dialed. */
	known: KnownCall;
	/** The duplicate guard's time in milliseconds; undefined if it is off. */
	skipWithinMs: number | undefined;
	rules: CallingRules;
	/** Whether the number is sent as typed, without a check against the numbering plans. */
	asIs: boolean;
	body: object;
	readAnswer(answer: JsonObject, words: string | undefined): CallAnswer;
}

/** "carrierSalesCall" -> "carrier sales call" */
export function wordsOf(kind: CallKind): string {
	return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
