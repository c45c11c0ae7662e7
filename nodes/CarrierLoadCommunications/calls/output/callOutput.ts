import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../../shared/errors/itemError';
import { Parameters } from '../../../shared/fields/parameters';
import type { ServiceClient } from '../../../shared/service/client';
import type { ShapeRow } from '../../fields/output';
import { callOutput, hasCall } from './callRow';
import { waitByPolling } from '../wait/waitByPolling';
import { waitByWebhook } from '../wait/waitByWebhook';
import type { WaitSettings } from '../fields/wait';

/** What came of an item: the row of its call, or the error for which it has none. */
export type Outcome = { row: IDataObject } | { error: Error };

/** Waits if asked to, and turns what came of the items into the node's output. */
export async function putOut(
	context: IExecuteFunctions,
	client: ServiceClient,
	wait: WaitSettings,
	outcomes: Outcome[],
): Promise<INodeExecutionData[]> {
	const [only] = outcomes;
	if (wait.mode === 'webhook' && only && 'row' in only && hasCall(only.row)) {
		const limit = Date.now() + wait.limitMs;
		return await waitByWebhook(context, client, only.row, limit, readShape(context, 0));
	}
	const waited =
		wait.mode === 'polling' ? await pollFor(context, client, wait, outcomes) : outcomes;
	return waited.map((outcome, itemIndex) => {
		if ('error' in outcome) return failedItem(outcome.error, itemIndex);
		const json = readShape(context, itemIndex)(outcome.row);
		return { json, pairedItem: { item: itemIndex } };
	});
}

async function pollFor(
	context: IExecuteFunctions,
	client: ServiceClient,
	wait: { limitMs: number; intervalMs: number },
	outcomes: Outcome[],
): Promise<Outcome[]> {
	const isPlaced = (outcome: Outcome) => 'row' in outcome && hasCall(outcome.row);
	const placed = outcomes.flatMap((outcome) =>
		'row' in outcome && hasCall(outcome.row) ? [outcome.row] : [],
	);
	if (placed.length === 0) return outcomes;
	const left = (await waitByPolling(context, client, wait, placed)).values();
	return outcomes.map((outcome) => {
		const row = isPlaced(outcome) ? left.next().value : undefined;
		return row === undefined ? outcome : { row };
	});
}

/**
 * How the row of an item's call becomes its JSON.
 *
 * @throws InvalidParameter for fields that cannot be chosen
 */
export function readShape(context: IExecuteFunctions, itemIndex: number): ShapeRow {
	return callOutput.read(new Parameters(context, itemIndex)).output.shape;
}
