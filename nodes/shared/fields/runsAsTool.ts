import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an AI agent is using the node, rather than a workflow. The AI Agent node runs its tools
 * as ordinary nodes, where `isToolExecution` returns false (n8n-core 2.41). Then only the node type
 * tells: n8n appends "Tool" to it.
 */
export function runsAsTool(context: IExecuteFunctions): boolean {
	return context.isToolExecution?.() === true || isToolType(context.getNode().type);
}

/** Whether a node type is the tool variant that n8n derives for agents. */
export function isToolType(type: string): boolean {
	return type.endsWith('Tool');
}
