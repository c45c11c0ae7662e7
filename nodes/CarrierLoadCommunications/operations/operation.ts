import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** How an operation is presented. */
export interface OperationNames {
	/** Shown in the dropdown. */
	name: string;
	/** Stored in users' workflows; never changes. */
	value: string;
	/**
	 * Shown in the nodes panel, used as the name of a new node, and all that an AI agent reads of a
	 * tool (n8n 2.41: `makeDescription`). An operation that places calls begins with "Call". A tool
	 * description of our own would stay when the user chooses another operation.
	 */
	action: string;
	description: string;
}

/** One thing that the node can do: its form and how it is done. */
export interface Operation extends OperationNames {
	/** Shown for this operation only; the display rule for that is derived. */
	fields: INodeProperties[];
	/** Takes all input items and returns the output items, each paired with its input item. */
	execute(context: IExecuteFunctions, items: INodeExecutionData[]): Promise<INodeExecutionData[]>;
}

/** What the operations are about. */
export interface Resource {
	name: string;
	value: string;
	/** The first one is the default: one that reads, so that a new node places no call. */
	operations: Operation[];
}
