import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One thing that the node can do: its fields and how it is done. */
export interface Operation {
	/** Shown in the dropdown. */
	name: string;
	/** Stored in users' workflows; never changes. */
	value: string;
	/**
	 * Shown in the node panel, the name of a fresh node, and what an AI agent that chooses a tool
	 * reads: it ends with "(read only)" or says that it dials.
	 */
	action: string;
	description: string;
	/** Shown for this operation only; which resource and operation that is, is derived. */
	fields: INodeProperties[];
	/** Takes all input items, gives back the output items, each paired with its input. */
	execute(context: IExecuteFunctions, items: INodeExecutionData[]): Promise<INodeExecutionData[]>;
}

/** What the operations are about. */
export interface Resource {
	name: string;
	value: string;
	/** The first one is the default: one that reads, so that a fresh node does not dial. */
	operations: Operation[];
}
