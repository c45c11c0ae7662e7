import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { hasEnded } from '../../../shared/events/callStage';
import { connect, type ServiceClient } from '../../../shared/service/client';
import type { ListQuery } from '../../../shared/service/contract';
import { passingFailure } from '../../../shared/service/http/failure';
import type { JsonObject } from '../../../shared/service/http/json';
import { timeOf } from '../../../shared/service/recordTime';
import { outcomeOf } from '../output/callRow';
import { lastDigits } from '../plan/sameNumber';

/** The service's clock may differ by minutes, and its bounds may be exclusive (contract 4.9). */
const CLOCK_MARGIN_MS = 5 * 60_000;

/** Around a time that the list itself has shown. */
const LISTED_MARGIN_MS = 2000;

/** Shorter than the trigger keeps trying to pass on an event: its own sender is waiting too. */
const LOOK_UP_TIMEOUT_MS = 4000;

/** Calls as last listed, by their ID as text. */
export type ListedCalls = Map<string, JsonObject>;

/**
 * The row of one call, with what the list shows of it now if it can be read quickly: an event about
 * the call may come meanwhile, and is refused until the execution waits.
 */
export async function lookUpCall(
	context: IExecuteFunctions | IWebhookFunctions,
	row: IDataObject,
): Promise<IDataObject> {
	const listed: ListedCalls = new Map();
	const limits = { timeoutMs: LOOK_UP_TIMEOUT_MS, retryBudgetMs: 0 };
	const client = await connect(context, limits).catch(() => undefined);
	if (client) await lookUpCalls(client, [row], listed);
	return withListed(row, listed);
}

/** The row with what the list shows of its call; `timedOut` until it has ended. */
export function withListed(row: IDataObject, listed: ListedCalls): IDataObject {
	if (hasEnded(row)) return { ...row, timedOut: false };
	const call = listed.get(String(row.callId));
	if (call === undefined || !hasEnded(call)) return { ...row, timedOut: true };
	// The status of a call that was just placed is outdated, and a listed call may have none
	// (contract 2.3).
	const status = call.status ?? null;
	return { ...row, status, ...outcomeOf(call), timedOut: false, listedCall: call };
}

/**
 * Searches the list once for the calls of these rows, and adds them to `listed`. Reads only as far
 * as needed, around the times at which they were listed before.
 *
 * @returns why the list couldn't be read, if it couldn't
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function lookUpCalls(
	client: ServiceClient,
	rows: readonly IDataObject[],
	listed: ListedCalls,
): Promise<string | undefined> {
	const unseen = new Map(rows.map((row) => [String(row.callId), row]));
	try {
		await client.walkCalls(queryFor(rows, listed), (call) => {
			const id = String(call.id);
			if (isOfRow(call, unseen.get(id)) && unseen.delete(id)) listed.set(id, call);
			return unseen.size === 0;
		});
	} catch (error) {
		return passingFailure(error).message;
	}
	// It may be listed at another time now, so the next search covers the whole range again.
	for (const id of unseen.keys()) listed.delete(id);
	return undefined;
}

/**
 * Whether a listed call with a row's ID is the row's. If the credential's base URL or token was
 * changed since the call was placed, it may be another account's, to another number.
 */
function isOfRow(call: JsonObject, row: IDataObject | undefined): boolean {
	if (row === undefined) return false;
	const [listed, own] = [lastDigits(call.toPhone), lastDigits(row.toPhone)];
	return listed === undefined || own === undefined || listed === own;
}

function queryFor(rows: readonly IDataObject[], listed: ListedCalls): ListQuery {
	const now = Date.now();
	const ranges = rows.map((row) => {
		const shown = timeOf(listed.get(String(row.callId)) ?? {})?.ms;
		if (shown !== undefined) return [shown - LISTED_MARGIN_MS, shown + LISTED_MARGIN_MS];
		const placed = timeOf(row)?.ms ?? now;
		return [Math.min(placed, now) - CLOCK_MARGIN_MS, Math.max(placed, now) + CLOCK_MARGIN_MS];
	});
	return {
		startTime: new Date(Math.min(...ranges.map(([from = now]) => from))).toISOString(),
		endTime: new Date(Math.max(...ranges.map(([, to = now]) => to))).toISOString(),
	};
}
