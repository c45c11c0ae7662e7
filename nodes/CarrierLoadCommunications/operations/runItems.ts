import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { errorForAgent, failedItem, itemError } from '../../shared/errors/itemError';
import { ConstantParameters, Parameters, showHint } from '../../shared/fields/parameters';
import { cancelSignal, throwIfStopped } from '../../shared/service/exchange';
import { connect } from '../../shared/service/client';
import { isStop } from '../../shared/service/failure';
import type { Output } from '../fields/readOutput';
import { limit } from '../fields/requestOptions';
import type { ItemResult, ItemRun, ReadRows, RunnableOperation } from './operation';

/** Processes the items one at a time: a failed one stops the node, or becomes an error item. Stop takes effect between items. */
export async function runItems<Values, Options>(
	operation: RunnableOperation<Values, Options>,
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const constants = new ConstantParameters(context);
	const readings = items.map((_item, itemIndex) => {
		const parameters = new Parameters(context, itemIndex, constants);
		return { parameters, ...readOrFail(() => operation.form.read(parameters)) };
	});
	const all = readings.flatMap(({ values = [] }) => values);
	const hints = new Set<string>();
	const output: INodeExecutionData[][] = [];
	for (const { parameters, values, problem } of readings) {
		const { itemIndex } = parameters;
		try {
			if (values === undefined) throw problem;
			const options = operation.options.read(parameters, 'options');
			throwIfStopped(cancelSignal(context));
			const { timeout: timeoutMs, retryFor: retryBudgetMs } = options;
			const client = await connect(context, { timeoutMs, retryBudgetMs });
			const run = { context, client, all };
			const { rows, hint } = await operation.executeItem({ ...values, options }, run);
			if (hint) hints.add(items.length > 1 ? `Row ${itemIndex + 1}: ${hint}` : hint);
			output.push(paired([...rows, ...notices(parameters, rows.length, hint)], itemIndex));
		} catch (error) {
			const title = failureTitle(operation.action);
			const attempted = { itemIndex, title, options: operation.optionNames };
			const shown = errorForAgent(itemError(context.getNode(), error, attempted));
			if (!context.continueOnFail() || isStop(error)) throw shown;
			output.push([failedItem(shown, itemIndex)]);
		}
	}
	show(context, [...hints]);
	return output.flat();
}

/** Reads an item's rows, and returns them as the user chose. */
export function shapedRows<Values extends { output: Output }>(
	read: (values: Values, run: ItemRun<Values>) => Promise<ReadRows>,
) {
	return async (values: Values, run: ItemRun<Values>): Promise<ItemResult> => {
		const { rows, hint } = await read(values, run);
		return { rows: rows.map((row) => ({ json: values.output.shape(row) })), hint };
	};
}

/** An item that can't be read fails when its turn comes. */
function readOrFail<Values>(read: () => Values): { values?: Values; problem?: unknown } {
	try {
		return { values: read() };
	} catch (problem) {
		return { problem };
	}
}

/** "Get many calls" -> "Couldn't get calls" */
function failureTitle(action: string): string {
	return `Couldn't ${action.charAt(0).toLowerCase()}${action.slice(1).replace(' many ', ' ')}`;
}

/** One shared object for all rows of an item, because lists are long. */
function paired(rows: INodeExecutionData[], itemIndex: number): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	for (const row of rows) row.pairedItem ??= pairedItem;
	return rows;
}

/** More hints would bury the output they are about. */
const MAX_HINTS = 10;

/** What the user must know about results that look complete, above the output. */
function show(context: IExecuteFunctions, hints: string[]): void {
	const shown = hints.slice(0, MAX_HINTS);
	if (hints.length > MAX_HINTS) shown.push(`There are ${hints.length - MAX_HINTS} more hints`);
	for (const message of shown) showHint(context, 'warning', message);
}

/**
 * What an AI agent must know about an item's rows, as items: it sees no hints, its model doesn't know the
 * limit, and it gets an empty text for no items (langchain nodes of n8n 2.41: `buildObservation`).
 */
function notices(parameters: Parameters, rows: number, hint = ''): INodeExecutionData[] {
	if (!parameters.forAgent) return [];
	const isCut = parameters.raw('returnAll') === false && rows === limit.read(parameters, 'limit');
	const nothing = rows === 0 && 'Nothing was found.';
	const cut = isCut && `The list was cut at its limit of ${rows}: there may be more.`;
	return [hint, nothing, cut].flatMap((notice) => (notice ? { json: { notice } } : []));
}
