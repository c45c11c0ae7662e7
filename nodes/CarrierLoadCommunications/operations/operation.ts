import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Fields } from '../../shared/fields/collection';
import type { Declarations, Field, ValuesOf } from '../../shared/fields/fieldTypes';
import type { ServiceClient } from '../../shared/service/client';
import type { List } from '../../shared/service/pages';
import type { RecordFields } from '../../shared/columns/records';
import type { Parameters } from '../../shared/fields/parameters';
import type { Output } from '../fields/readOutput';
import type { requestOptions } from '../fields/requestOptions';

export interface OperationNames {
	/** Shown in the dropdown. */
	name: string;
	/** Stored in users' workflows; never changes. */
	value: string;
	/**
	 * Shown in the nodes panel, used as a new node's name, and all that an AI agent learns about a
	 * tool (n8n 2.41: `makeDescription`). Starts with "Place" and says "call" if the operation places
	 * calls. Our own tool description would take the place of the user's.
	 */
	action: string;
	description: string;
}

export interface Operation extends OperationNames {
	/** The display rule for this operation is added later. */
	fields: INodeProperties[];
	/** Processes all input items. Each output item is paired with its input item. */
	execute(context: IExecuteFunctions, items: INodeExecutionData[]): Promise<INodeExecutionData[]>;
}

export interface Resource {
	name: string;
	value: string;
	/** The first is the default. It only reads, so a new node places no call. */
	operations: Operation[];
}

export interface ItemRun<Values> {
	context: IExecuteFunctions;
	client: ServiceClient;
	/** The fields of all items, without those of items that can't be read. */
	all: readonly Values[];
}

/** Its hint says what is not seen in the rows. */
export interface ItemResult {
	rows: INodeExecutionData[];
	hint?: string | undefined;
}

export type ReadRows = Pick<List, 'rows' | 'hint'>;

export interface ItemOperation<Values, Options extends Declarations> extends OperationNames {
	form: Fields<Values>;
	options: Options;
	/** @throws ServiceFailure, InvalidParameter */
	executeItem(
		values: Values & { options: ValuesOf<Options> },
		run: ItemRun<Values>,
	): Promise<ItemResult>;
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
	): Promise<ReadRows>;
}

/** What is needed of it when it runs. */
export interface RunnableOperation<Values, Options> {
	action: string;
	form: { read(parameters: Parameters): Values };
	options: Field<Options & ValuesOf<typeof requestOptions>>;
	optionNames: readonly string[];
	executeItem(values: Values & { options: Options }, run: ItemRun<Values>): Promise<ItemResult>;
}
