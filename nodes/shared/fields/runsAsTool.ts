import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n copies the whole node each time it is asked for it. */
const asTool = new WeakMap<IExecuteFunctions, boolean>();

/**
 * Whether an AI agent is using the node, rather than a workflow. The AI Agent node runs its tools
 * as ordinary nodes, where `isToolExecution` returns false (n8n-core 2.41). Then only the node type
 * tells: n8n appends "Tool" to it.
 */
export function runsAsTool(context: IExecuteFunctions): boolean {
	const known = asTool.get(context);
	if (known !== undefined) return known;
	const isTool = context.isToolExecution?.() === true || isToolType(context.getNode().type);
	asTool.set(context, isTool);
	return isTool;
}

/** Whether a node type is the tool variant that n8n derives for agents. */
export function isToolType(type: string): boolean {
	return type.endsWith('Tool');
}
