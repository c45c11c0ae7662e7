import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isToolType } from '../fields/runsAsTool';

/**
 * For an AI agent, adds the advice to the message: the agent's model sees nothing else of an error
 * (n8n-core 2.41: `handleNodeExecutionError`).
 */
export function errorForAgent<Shown extends NodeApiError | NodeOperationError>(
	error: Shown,
): Shown {
	const { message, description, node } = error;
	if (!isToolType(node.type) || !description || message.includes(description)) return error;
	error.message = `${message.replace(/\.$/, '')}. ${description}`;
	return error;
}
