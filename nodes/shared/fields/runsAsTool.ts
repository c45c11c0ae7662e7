import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an AI agent asks, and not a workflow. An agent node of this version has the engine run
 * its tools as ordinary nodes, where `isToolExecution` says false (n8n-core 2.41): there only the
 * type tells, which n8n derives by adding "Tool" to the node's own.
 */
export function runsAsTool(context: IExecuteFunctions): boolean {
	return context.isToolExecution?.() === true || isToolType(context.getNode().type);
}

/** Whether a node's type is the one that n8n made of this package's node for agents. */
export function isToolType(type: string): boolean {
	return type.endsWith('Tool');
}
