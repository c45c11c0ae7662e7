import type { INodeExecutionData } from 'n8n-workflow';

import type { Output } from '../../fields/output';
import type { CallRun } from '../dial/callRun';
import type { WaitSettings } from '../fields/wait';
import type { CallItem } from '../plan/planItems';
import { waitByPolling } from '../wait/waitByPolling';
import { waitByWebhook } from '../wait/waitByWebhook';
import { hasCall } from './callRow';

/**
 * Waits if the user wants that, and converts the results to the node's output.
 *
 * @param outputOf how an item's row becomes its JSON
 * @param failed the output of an item without a row
 */
export async function toOutput(
	{ context, client, registry }: Pick<CallRun, 'context' | 'client' | 'registry'>,
	wait: WaitSettings,
	items: readonly CallItem[],
	outputOf: (itemIndex: number) => Output,
	failed: (item: CallItem) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	const [only] = items;
	if (wait.mode === 'webhook' && only?.call && only.row && hasCall(only.row)) {
		const limit = Date.now() + wait.limitMs;
		const expectsEvent = registry.expectsEvent(only.call);
		return await waitByWebhook(context, only.row, expectsEvent, limit, outputOf(0));
	}
	const rows = items.flatMap(({ row }) => (row && hasCall(row) ? [row] : []));
	const waited = wait.mode === 'polling' ? await waitByPolling(context, client, wait, rows) : rows;
	const resultOf = new Map(rows.map((row, index) => [row, waited[index]]));
	return items.map((item) => {
		const { itemIndex, row } = item;
		if (row === undefined) return failed(item);
		const json = outputOf(itemIndex).shape(resultOf.get(row) ?? row);
		return { json, pairedItem: { item: itemIndex } };
	});
}
