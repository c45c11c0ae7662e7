import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type RecordFields, RECORDS, type ListName } from '../../shared/columns/records';
import { errorForAgent, failedItem, itemError } from '../../shared/errors/itemError';
import { collection, type Fields, both, fields } from '../../shared/fields/collection';
import type { Declarations, Field, ValuesOf } from '../../shared/fields/field';
import { Parameters, runsAsTool } from '../../shared/fields/parameters';
import { cancelSignal, throwIfStopped } from '../../shared/service/cancellation';
import { connect, type ServiceClient } from '../../shared/service/client';
import { ServiceFailure } from '../../shared/service/failure';
import type { List } from '../../shared/service/list';
import { output, type Output } from '../fields/output';
import { requestOptions, limit } from '../fields/requestOptions';
import { timeRange } from '../fields/timeRange';
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
					const attempted = { itemIndex, title: failureTitle(action), options: optionNames };
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
	throwIfStopped(cancelSignal(context));
	const { timeout: timeoutMs, retryFor: retryBudgetMs } = options;
	const values = { ...operation.form.read(parameters), options };
	const client = await connect(context, { timeoutMs, retryBudgetMs });
	const hint = (text: string | undefined) => hints.add(itemIndex, text);
	const rows = await operation.executeItem(values, { context, client, hint });
	return rows;
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

function isStopped(error: unknown): boolean {
	return error instanceof ServiceFailure && error.details.kind === 'cancelled';
}

export interface ReadOperation<Declared extends Declarations, Options extends Declarations>
	extends OperationNames {
	fields: Declared;
	options: Options;
	rows: RecordFields;
	/** Descriptions of Simplified and All Fields, if they differ from the usual ones. */
	aboutOutput?: { simplified: string; all: string };
	/**
	 * Returns one item's rows as the service sends them.
	 *
	 * @throws ServiceFailure
	 */
	read(
		values: ValuesOf<Declared> & { options: ValuesOf<Options>; output: Output },
		run: ItemRun,
	): Promise<Pick<List, 'rows' | 'hint'>>;
}

/** An operation that reads rows from the service and returns them as the user chose. */
export function readOperation<Declared extends Declarations, Options extends Declarations>(
	operation: ReadOperation<Declared, Options>,
): Operation {
	const { rows: rowFields, aboutOutput, read, ...others } = operation;
	return itemOperation({
		...others,
		form: both(fields(operation.fields), fields({ output: output(rowFields, aboutOutput) })),
		async executeItem(values, run) {
			const { rows, hint } = await read(values, run);
			run.hint(hint);
			return rows.map((row) => ({ json: values.output.shape(row) }));
		},
	});
}

/** As many rows as an agent's model can still make use of. */
const AGENT_LIMIT = 500;

const CAPPED = `Only the first ${AGENT_LIMIT} records are returned to an agent: there may be more. Narrow the time range or add filters.`;

export interface ListOperation {
	action: string;
	description: string;
	filters: Record<string, Field<string | undefined>>;
	list: ListName;
}

/** "Get Many" for a list of a time range that comes in pages (contract 4.1). */
export function listOperation(operation: ListOperation): Operation {
	const { list, filters, ...others } = operation;
	return readOperation({
		...others,
		rows: RECORDS[list],
		name: 'Get Many',
		value: 'getAll',
		fields: { timeRange, filters: collection('Filters', 'Add Filter', filters), limit },
		options: {},
		async read({ timeRange: range, filters: chosen, limit: max }, { client, context }) {
			const isCapped = max === undefined && runsAsTool(context);
			const paging = { limit: isCapped ? AGENT_LIMIT : max };
			const read = await client.readList(list, { ...range, ...chosen }, paging);
			if (!isCapped || read.rows.length < AGENT_LIMIT) return read;
			return { ...read, hint: read.hint === undefined ? CAPPED : `${read.hint} ${CAPPED}` };
		},
	});
}

/** More hints would bury the output they are about. */
const MAX_SHOWN = 10;

/**
 * What the user must know about results that look complete, shown as hints above the output. AI
 * agents see no hints, so they get each one as an item.
 */
class Hints {
	private readonly texts = new Set<string>();
	private readonly ofItems = new Map<number, string[]>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemCount: number,
	) {}

	add(itemIndex: number, text: string | undefined): void {
		if (text === undefined) return;
		this.texts.add(this.named(itemIndex, text));
		this.ofItems.set(itemIndex, [...(this.ofItems.get(itemIndex) ?? []), text]);
	}

	/**
	 * Notices about an item's rows, as items for an agent; none for a workflow. A person sees the
	 * limit, and an empty output. An agent's model doesn't know the limit, and gets an empty text for
	 * no items (langchain nodes of n8n 2.41: `buildObservation`).
	 */
	itemsFor(parameters: Parameters, rows: number): INodeExecutionData[] {
		if (!parameters.forAgent) return [];
		const { itemIndex } = parameters;
		const texts = [...(this.ofItems.get(itemIndex) ?? []), ...aboutRows(parameters, rows)];
		return texts.map((notice) => ({ json: { notice }, pairedItem: { item: itemIndex } }));
	}

	private named(itemIndex: number, text: string): string {
		return this.itemCount > 1 ? `Row ${itemIndex + 1}: ${text}` : text;
	}

	show(): void {
		const texts = [...this.texts];
		const shown = texts.slice(0, MAX_SHOWN);
		const hidden = texts.length - shown.length;
		if (hidden > 0) shown.push(`There are ${hidden} more hints`);
		// Older versions of n8n have no hints.
		this.context.addExecutionHints?.(
			...shown.map((message) => ({ message, type: 'warning', location: 'outputPane' }) as const),
		);
	}
}

function aboutRows(parameters: Parameters, rows: number): string[] {
	if (rows === 0) return ['Nothing was found.'];
	if (parameters.raw('returnAll') !== false || rows !== limit.read(parameters, 'limit')) return [];
	return [`The list was cut at its limit of ${rows}: there may be more.`];
}
