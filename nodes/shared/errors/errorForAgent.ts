import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isToolType } from '../fields/runsAsTool';

/**
 * The same error; where an AI agent uses the node as its tool, with what to do now in the message:
 * of an error the agent's model reads nothing else (n8n-core 2.41: `handleNodeExecutionError`).
 */
export function errorForAgent<Shown extends NodeApiError | NodeOperationError>(
	error: Shown,
): Shown {
	const { message, description, node } = error;
	if (!isToolType(node.type) || !description || message.includes(description)) return error;
	error.message = `${message.replace(/\.$/, '')}. ${description}`;
	return error;
}
