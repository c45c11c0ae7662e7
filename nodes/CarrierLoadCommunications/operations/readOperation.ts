import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { RecordFields } from '../../shared/columns/records';
import { errorForAgent, failedItem, itemError } from '../../shared/errors/itemError';
import { collection, fields, type Fields } from '../../shared/fields/collection';
import { fieldsIn } from '../../shared/fields/readCollection';
import type { Declarations, ValuesOf } from '../../shared/fields/field';
import { ConstantParameters, Parameters, showHint } from '../../shared/fields/parameters';
import { cancelSignal, throwIfStopped } from '../../shared/service/exchange';
import { connect, type ServiceClient } from '../../shared/service/client';
import { isStop } from '../../shared/service/failure';
import type { List } from '../../shared/service/list';
import { output } from '../fields/output';
import type { Output } from '../fields/readOutput';
import { requestOptions, limit } from '../fields/requestOptions';
import type { Operation, OperationNames } from './operation';

export interface ItemRun<Values> {
	context: IExecuteFunctions;
	client: ServiceClient;
	/** The fields of all items, without those of items that can't be read. */
	all: readonly Values[];
}

export interface ItemOperation<Values, Options extends Declarations> extends OperationNames {
	form: Fields<Values>;
	/** Options besides those of every operation. */
	options: Options;
	/**
	 * Receives the checked fields of one item. Its hint says what is not seen in the rows.
	 *
	 * @throws ServiceFailure, InvalidParameter
	 */
	executeItem(
		values: Values & { options: ValuesOf<Options> },
		run: ItemRun<Values>,
	): Promise<{ rows: INodeExecutionData[]; hint?: string | undefined }>;
}

/**
 * An operation that processes its items one at a time. A failed item stops the node, or becomes an
 * error item with Continue on Fail. Stop takes effect between items.
 */
export function itemOperation<Values, Options extends Declarations>(
	operation: ItemOperation<Values, Options>,
): Operation {
	const { name, value, action, description, form } = operation;
	const declared = { ...operation.options, ...requestOptions };
	const options = collection('Options', 'Add Option', declared);
	return {
		...{ name, value, action, description },
		fields: [...form.properties, ...options.properties('options')],
		async execute(context, items) {
			const constants = new ConstantParameters(context);
			const readings = items.map((_item, itemIndex) => {
				const parameters = new Parameters(context, itemIndex, constants);
				return { parameters, ...readOrFail(() => form.read(parameters)) };
			});
			const all = readings.flatMap(({ values = [] }) => values);
			const hints = new Set<string>();
			const output: INodeExecutionData[][] = [];
			for (const { parameters, values, problem } of readings) {
				const { itemIndex } = parameters;
				try {
					if (values === undefined) throw problem;
					const given = { ...values, options: options.read(parameters, 'options') };
					throwIfStopped(cancelSignal(context));
					const { timeout, retryFor } = fieldsIn(parameters, 'options', requestOptions);
					const client = await connect(context, { timeoutMs: timeout, retryBudgetMs: retryFor });
					const { rows, hint } = await operation.executeItem(given, { context, client, all });
					if (hint) hints.add(items.length > 1 ? `Row ${itemIndex + 1}: ${hint}` : hint);
					output.push(paired([...rows, ...notices(parameters, rows.length, hint)], itemIndex));
				} catch (error) {
					const title = failureTitle(action);
					const attempted = { itemIndex, title, options: Object.keys(declared) };
					const shown = errorForAgent(itemError(context.getNode(), error, attempted));
					if (!context.continueOnFail() || isStop(error)) throw shown;
					output.push([failedItem(shown, itemIndex)]);
				}
			}
			show(context, [...hints]);
			return output.flat();
		},
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

export interface ReadOperation<Declared extends Declarations> extends OperationNames {
	fields: Declared;
	rows: RecordFields;
	/** Descriptions of Simplified and All Fields, if they differ from the usual ones. */
	aboutOutput?: { simplified: string; all: string };
	/** Returns one item's rows as the service sends them. @throws ServiceFailure */
	read(
		values: ValuesOf<Declared> & { output: Output },
		run: ItemRun<ValuesOf<Declared>>,
	): Promise<Pick<List, 'rows' | 'hint'>>;
}

/** An operation that reads rows from the service and returns them as the user chose. */
export function readOperation<Declared extends Declarations>({
	fields: declared,
	rows: rowFields,
	aboutOutput,
	read,
	...names
}: ReadOperation<Declared>): Operation {
	const own = fields(declared);
	const shown = output(rowFields, aboutOutput);
	return itemOperation({
		...names,
		form: {
			properties: [...own.properties, ...shown.properties('output')],
			read: (given) => ({ ...own.read(given), output: shown.read(given, 'output') }),
		},
		options: {},
		async executeItem(values, run) {
			const { rows, hint } = await read(values, run);
			return { rows: rows.map((row) => ({ json: values.output.shape(row) })), hint };
		},
	});
}
