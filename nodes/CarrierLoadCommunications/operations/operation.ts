import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

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
