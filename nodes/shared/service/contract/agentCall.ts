import type { PlacedCall } from './call';

/** The body that asks for a call by a custom agent (contract 4.8). */
export interface AgentCallRequest {
	toPhone: string;
	dynamicVariables?: Record<string, unknown> | undefined;
}

/** The answer to an agent call request (contract 4.8); `success` is the only status that is shown. */
export interface AgentCallResponse {
	status: string;
	call: PlacedCall;
}
