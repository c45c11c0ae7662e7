import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../../shared/service/http/cancellation';
import type { ServiceClient } from '../../../shared/service/client';
import { ServiceFailure } from '../../../shared/service/http/failure';
import type { JsonObject } from '../../../shared/service/http/json';
import { hasEnded, outcomeOf } from '../output/callRow';
import { timeOf } from '../reconcile/callSearch';
import { settled } from '../memory/settled';

/** Time bounds of the list may be exclusive, and its clock may differ from ours (contract 4.9). */
const MARGIN_MS = 5 * 60_000;

/** What came of looking once. */
export interface Look {
	/** Listed calls by their id. */
	ended: Map<unknown, JsonObject>;
	/** Why the list could not be read, when it could not. */
	problem?: string | undefined;
}

/**
 * Waits until all calls have ended or the time is up, looking in the list once for all of them.
 * Gives the rows back in their order, with the outcome, or with `timedOut: true`.
 *
 * @returns also why the list could not be read, when that went on to the end
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function waitByPolling(
	client: ServiceClient,
	rows: readonly IDataObject[],
	wait: { limitMs: number; intervalMs: number },
	signal: AbortSignal | undefined,
): Promise<{ rows: IDataObject[]; problem?: string | undefined }> {
	const deadline = Date.now() + wait.limitMs;
	const ended = new Map<unknown, JsonObject>();
	for (;;) {
		const open = rows.filter((row) => !hasEnded(row) && !ended.has(row.callId));
		if (open.length === 0) return { rows: rows.map((row) => withOutcome(row, ended)) };
		const look = await lookForOutcomes(client, open);
		for (const [id, call] of look.ended) ended.set(id, call);
		const left = deadline - Date.now();
		if (left <= 0)
			return { rows: rows.map((row) => withOutcome(row, ended)), problem: look.problem };
		if (look.ended.size < open.length) await pause(Math.min(wait.intervalMs, left), signal);
	}
}

/** Looks once for the listed calls of these rows that have ended; never fails but by Stop. */
export async function lookForOutcomes(
	client: ServiceClient,
	rows: readonly IDataObject[],
): Promise<Look> {
	const open = new Set(rows.map(({ callId }) => callId));
	const ended = new Map<unknown, JsonObject>();
	const times = rows.map((row) => timeOf(row)).filter((time) => time !== undefined);
	const from = Math.min(Date.now(), ...times) - MARGIN_MS;
	const query = {
		startTime: new Date(from).toISOString(),
		endTime: new Date(Date.now() + MARGIN_MS).toISOString(),
	};
	const search = await settled(
		client.findCall(query, (call) => {
			if (open.has(call.id) && hasEnded(call)) ended.set(call.id, call);
			return ended.size === open.size;
		}),
	);
	if ('value' in search) return { ended };
	const { error } = search;
	if (!(error instanceof ServiceFailure) || error.details.kind === 'cancelled') throw error;
	return { ended, problem: error.message };
}

/**
 * The row with how its call went; `timedOut` says whether that is missing. The status that the call
 * was placed with is over then, and the contract shows none of a listed call (2.3): it goes.
 */
export function withOutcome(row: IDataObject, ended: Map<unknown, JsonObject>): IDataObject {
	if (hasEnded(row)) return { ...row, timedOut: false };
	const listed = ended.get(row.callId);
	if (listed === undefined) return { ...row, timedOut: true };
	const status = listed.status ?? null;
	return { ...row, status, ...outcomeOf(listed), timedOut: false, listedCall: listed };
}
