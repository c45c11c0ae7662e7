import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../../shared/fields/collection';
import type { CallKind } from '../../shared/service/contract';
import type { JsonObject } from '../../shared/service/json';
import type { CallAnswer, CallDetails, PlannedCall } from './call';
import type { CallOutput } from './rows';
import type { DoNotCall } from './rules/doNotCall';
import type { CallingHours } from './rules/hours';
import type { Limits } from './rules/limits';
import type { Mode } from './settings';

export interface CallRequests<Values extends object> {
	kind: CallKind;
	/** Whether the endpoint accepts metadata; the one for agent calls doesn't (contract 4.8). */
	takesMetadata: boolean;
	form: Fields<Values>;
	/** What the call is about, whom it is to, and the variables sent with it. */
	about(values: Values): Pick<CallDetails, 'subject' | 'contact' | 'dynamicVariables'>;
	/** The request's body, besides number and metadata. */
	body(values: Values): object;
	/** @param words the service's own words in the response, if there are some */
	readAnswer(answer: JsonObject, words: string | undefined): CallAnswer;
}

/** An input item on its way to its output. Its row or its problem is its result. */
export interface CallItem {
	itemIndex: number;
	/** Left out if a rule skips it or it can't be placed; then the rules, too. */
	call?: PlannedCall;
	rules?: CallingRules;
	/** Left out only if it can't be placed. */
	output?: CallOutput | undefined;
	/** Whether it is in a dry run: then it can be a row that says why it would fail. */
	isDryRun?: boolean;
	row?: IDataObject;
	problem?: unknown;
}

export interface ReadyItem extends CallItem {
	call: PlannedCall;
	rules: CallingRules;
}

/** An item's rules; undefined if it has none of the kind. */
export interface CallingRules extends Mode {
	/** ISO 3166 codes of those that may be called. */
	countries: ReadonlySet<string>;
	doNotCall: DoNotCall | undefined;
	hours: CallingHours | undefined;
	limits: Limits;
	skipWithinMs: number | undefined;
	/** How long to wait for another call to the phone to end. */
	samePhonePauseMs: number;
}
