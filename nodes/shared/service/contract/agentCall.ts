import type { PlacedCall } from './call';

/** The request body of an agent call (contract 4.8). */
export interface AgentCallRequest {
	toPhone: string;
	dynamicVariables?: Record<string, unknown> | undefined;
}

/**
 * The response to an agent call request (contract 4.8). `success` is the only documented status.
 */
export interface AgentCallResponse {
	status: string;
	call: PlacedCall;
}
