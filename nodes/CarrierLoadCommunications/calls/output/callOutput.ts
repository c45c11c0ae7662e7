import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../../shared/errors/itemError';
import type { ServiceClient } from '../../../shared/service/client';
import type { Output } from '../../fields/output';
import { hasCall } from './callRow';
import { waitByPolling } from '../wait/waitByPolling';
import { waitByWebhook } from '../wait/waitByWebhook';
import type { WaitSettings } from '../fields/wait';

/**
 * An item's result: its call's row, and whether the event about it comes to this execution; or the
 * error.
 */
export type Outcome = { row: IDataObject; expectsEvent?: boolean } | { error: Error };

/**
 * Waits if the user wants that, and converts the results to the node's output.
 *
 * @param outputOf how an item's row becomes its JSON
 */
export async function toOutput(
	context: IExecuteFunctions,
	client: ServiceClient,
	wait: WaitSettings,
	outcomes: Outcome[],
	outputOf: (itemIndex: number) => Output,
): Promise<INodeExecutionData[]> {
	const [only] = outcomes;
	if (wait.mode === 'webhook' && only && 'row' in only && hasCall(only.row)) {
		const limit = Date.now() + wait.limitMs;
		return await waitByWebhook(context, client, only, limit, outputOf(0));
	}
	const waited =
		wait.mode === 'polling' ? await pollFor(context, client, wait, outcomes) : outcomes;
	const { onError } = context.getNode();
	return waited.map((outcome, itemIndex) => {
		if ('error' in outcome) return failedItem(outcome.error, itemIndex, onError);
		const json = outputOf(itemIndex).shape(outcome.row);
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
