import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallRun } from '../dial/callRun';
import type { WaitSettings } from '../fields/wait';
import type { CallItem } from '../plan/planItems';
import { waitByPolling } from '../wait/waitByPolling';
import { waitByWebhook } from '../wait/waitByWebhook';
import { hasCall, type Placement } from './callRow';

/**
 * Waits if the user wants that, and converts the results to the node's output.
 *
 * @param failed the output of an item without a row
 */
export async function toOutput(
	{ context, client, registry }: Pick<CallRun, 'context' | 'client' | 'registry'>,
	wait: WaitSettings,
	items: readonly CallItem[],
	failed: (item: CallItem) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	nameSkipped(context, items);
	const [only] = items;
	if (wait.mode === 'webhook' && only?.call && only.row && only.output && hasCall(only.row)) {
		const limit = Date.now() + wait.limitMs;
		const expectsEvent = registry.expectsEvent(only.call);
		return await waitByWebhook(context, only.row, expectsEvent, limit, only.output);
	}
	const rows = items.flatMap(({ row }) => (row && hasCall(row) ? [row] : []));
	const waited = wait.mode === 'polling' ? await waitByPolling(context, client, wait, rows) : rows;
	const resultOf = new Map(rows.map((row, index) => [row, waited[index]]));
	return items.map((item) => {
		const { itemIndex, row, output } = item;
		if (row === undefined || output === undefined) return failed(item);
		const json = output.shape(resultOf.get(row) ?? row);
		return { json, pairedItem: { item: itemIndex } };
	});
}

const CALLED = new Set<unknown>(['placed', 'reconciled'] satisfies Placement[]);

/** The row of a skipped call looks like that of a placed one, and its reason is far to the right. */
function nameSkipped(context: IExecuteFunctions, items: readonly CallItem[]): void {
	const skipped = items.flatMap(({ row }) => (row && !CALLED.has(row.placement) ? [row] : []));
	const [first] = skipped;
	if (first === undefined) return;
	const reason = String(first.placementReason);
	const message =
		items.length === 1
			? `No call was placed. ${reason}`
			: `No call was placed for ${skipped.length} of ${items.length} items. The first of them: ${reason}`;
	// Older versions of n8n have no hints.
	context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
}
