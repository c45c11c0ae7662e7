import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { errorForAgent, failedItem, itemError } from '../../shared/errors/itemError';
import { collection } from '../../shared/fields/collection';
import type { Declarations, Field, ValuesOf } from '../../shared/fields/field';
import type { Fields } from '../../shared/fields/form';
import { Parameters } from '../../shared/fields/parameters';
import { connect, type ServiceClient } from '../../shared/service/client';
import { cancelSignal, pause, throwIfStopped } from '../../shared/service/http/cancellation';
import { ServiceFailure } from '../../shared/service/http/failure';
import {
	DEFAULT_BATCH_INTERVAL_MS,
	DEFAULT_BATCH_SIZE,
	requestOptions,
} from '../fields/requestOptions';
import { Hints } from './hints';
import type { Operation, OperationNames } from './operation';

/** What an operation needs to process one item. */
export interface ItemRun {
	context: IExecuteFunctions;
	client: ServiceClient;
	/** Adds a hint about the item's rows. */
	hint(text: string | undefined): void;
}

type OptionsOf<Options extends Declarations> = ValuesOf<Options & typeof requestOptions>;

export interface ItemOperation<Values, Options extends Declarations> extends OperationNames {
	form: Fields<Values>;
	/** Options besides those of every operation. */
	options: Options;
	/**
	 * Receives the checked fields of one item.
	 *
	 * @throws ServiceFailure, InvalidParameter
	 */
	executeItem(
		values: Values & { options: OptionsOf<Options> },
		run: ItemRun,
	): Promise<INodeExecutionData[]>;
}

/**
 * An operation that processes its items one at a time. A failed item stops the node, or becomes an
 * error item with Continue on Fail. Stop takes effect between items.
 */
export function itemOperation<Values, Options extends Declarations>(
	operation: ItemOperation<Values, Options>,
): Operation {
	const { name, value, action, description, form } = operation;
	const allOptions = { ...operation.options, ...requestOptions };
	const options = collection('Options', 'Add Option', allOptions);
	const optionNames = Object.keys(allOptions);
	return {
		...{ name, value, action, description },
		fields: [...form.properties, ...options.properties('options')],
		async execute(context, items) {
			const hints = new Hints(context, items.length);
			const output: INodeExecutionData[][] = [];
			for (const itemIndex of items.keys()) {
				try {
					const parameters = new Parameters(context, itemIndex);
					const rows = await executeItem(context, operation, options, parameters, hints);
					output.push(paired(rows, itemIndex), hints.itemsFor(parameters, rows.length));
				} catch (error) {
					const attempted = { itemIndex, action, options: optionNames };
					const shown = errorForAgent(itemError(context.getNode(), error, attempted));
					if (!context.continueOnFail() || isStopped(error)) throw shown;
					output.push([failedItem(shown, itemIndex)]);
				}
			}
			hints.show();
			return output.flat();
		},
	};
}

async function executeItem<Values, Options extends Declarations>(
	context: IExecuteFunctions,
	operation: ItemOperation<Values, Options>,
	optionsField: Field<OptionsOf<Options>>,
	parameters: Parameters,
	hints: Hints,
): Promise<INodeExecutionData[]> {
	const { itemIndex } = parameters;
	const options = optionsField.read(parameters, 'options');
	await pauseBefore(context, itemIndex, options);
	const { timeout: timeoutMs, retryFor: retryBudgetMs } = options;
	const values = { ...operation.form.read(parameters), options };
	const client = await connect(context, { timeoutMs, retryBudgetMs });
	const hint = (text: string | undefined) => hints.add(itemIndex, text);
	const rows = await operation.executeItem(values, { context, client, hint });
	hints.addWait(itemIndex, client.busyMs);
	return rows;
}

async function pauseBefore(
	context: IExecuteFunctions,
	itemIndex: number,
	{ batchSize, batchInterval }: ValuesOf<typeof requestOptions>,
): Promise<void> {
	const signal = cancelSignal(context);
	throwIfStopped(signal);
	if (itemIndex === 0 || (batchSize ?? batchInterval) === undefined) return;
	if (itemIndex % (batchSize ?? DEFAULT_BATCH_SIZE) === 0) {
		await pause(batchInterval ?? DEFAULT_BATCH_INTERVAL_MS, signal);
	}
}

/** One shared object for all rows of an item, because lists are long. */
function paired(rows: INodeExecutionData[], itemIndex: number): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	for (const row of rows) row.pairedItem ??= pairedItem;
	return rows;
}

function isStopped(error: unknown): boolean {
	return error instanceof ServiceFailure && error.details.kind === 'cancelled';
}
