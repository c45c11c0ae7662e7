import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../shared/service/client';
import type { JsonObject } from '../../../shared/service/http/json';
import type { CallJournal } from '../memory/callJournal';
import type { CallMemo } from '../memory/callMemo';
import type { PlacingSettings } from '../fields/callOptions';
import { loadOf, type WantedCall } from '../output/callRow';
import type { Pace } from './pacing';
import type { PlacingAnswer } from './callAnswer';

/** What all items of one run of the node share. */
export interface Placing {
	context: IExecuteFunctions;
	client: ServiceClient;
	memo: CallMemo;
	journal: CallJournal;
	pace: Pace;
	settings: PlacingSettings;
	signal: AbortSignal | undefined;
}

/** One item's call, checked and ready to be dialled. */
export interface ItemCall {
	itemIndex: number;
	/** Which call of this node it is, see `callKey`. */
	key: string;
	wanted: WantedCall;
	skipWithinMs: number | undefined;
	/** Sends the request, once. */
	send(client: ServiceClient): Promise<JsonObject>;
	readAnswer(answer: JsonObject): PlacingAnswer;
}

const KINDS: Record<WantedCall['kind'], string> = {
	checkCall: 'check call',
	carrierSalesCall: 'carrier sales call',
	agentCall: 'agent call',
};

/** "check call to +13125550188 about load 48213" */
export function describeCall(wanted: WantedCall): string {
	const load = loadOf(wanted);
	const about = load === undefined ? '' : ` about load ${load}`;
	return `${KINDS[wanted.kind]} to ${wanted.toPhone}${about}`;
}

/** "The check call", as the subject of an error. */
export function nameKind(kind: WantedCall['kind']): string {
	return `The ${KINDS[kind]}`;
}
