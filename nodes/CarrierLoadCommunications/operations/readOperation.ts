import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { errorForAgent } from '../../shared/errors/errorForAgent';
import { failedItem, itemError } from '../../shared/errors/itemError';
import { Parameters } from '../../shared/fields/parameters';
import { readBatching } from '../../shared/fields/requestOptions';
import { cancelSignal, pause, throwIfStopped } from '../../shared/service/http/cancellation';
import { ServiceFailure } from '../../shared/service/http/failure';
import { Notices } from './hints';
import type { Operation } from './operation';

/** Tells the user something about an item's result that its rows do not say. */
export type Notify = (notice: string | undefined) => void;

type ItemOperation = Omit<Operation, 'execute'> & {
	executeItem(
		context: IExecuteFunctions,
		parameters: Parameters,
		notify: Notify,
	): Promise<INodeExecutionData[]>;
};

/**
 * An operation that handles its items one after another, each on its own: a failed item stops the
 * node, or goes on as an error when the node is set to continue. Stop ends it between two items.
 */
export function perItem({ executeItem, ...operation }: ItemOperation): Operation {
	return {
		...operation,
		async execute(context, items) {
			const notices = new Notices(context, items.length);
			const output: INodeExecutionData[][] = [];
			for (const itemIndex of items.keys()) {
				try {
					const parameters = new Parameters(context, itemIndex);
					await pauseBefore(context, parameters);
					const rows = await executeItem(context, parameters, (notice) =>
						notices.add(itemIndex, notice),
					);
					output.push(paired(rows, itemIndex), notices.itemsFor(parameters, rows.length));
				} catch (error) {
					const action = shortAction(operation.action);
					const shown = errorForAgent(itemError(context.getNode(), error, { itemIndex, action }));
					if (!context.continueOnFail() || isStopped(error)) throw shown;
					output.push([failedItem(shown, itemIndex)]);
				}
			}
			notices.show();
			return output.flat();
		},
	};
}

async function pauseBefore(context: IExecuteFunctions, parameters: Parameters): Promise<void> {
	const signal = cancelSignal(context);
	throwIfStopped(signal);
	const batching = readBatching(parameters);
	if (!batching || parameters.itemIndex === 0) return;
	if (parameters.itemIndex % batching.size === 0) await pause(batching.pauseMs, signal);
}

/** One object for all rows of an item: lists are long. */
function paired(rows: INodeExecutionData[], itemIndex: number): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	for (const row of rows) row.pairedItem ??= pairedItem;
	return rows;
}

/** The action without its remark for agents: "Get many past calls (read only)". */
function shortAction(action: string): string {
	return action.replace(/ \([^)]*\)$/, '');
}

function isStopped(error: unknown): boolean {
	return error instanceof ServiceFailure && error.details.kind === 'cancelled';
}
