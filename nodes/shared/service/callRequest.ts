import { pathPart, type CallKind, type CallSubject, type CallTarget } from './contract';

/** The load a call is about; undefined for an agent call. */
export function loadOf({ subject }: { subject: CallSubject }): string | undefined {
	return subject.loadNumber ?? subject.loadId;
}

/** The endpoints that place calls (contract 4.5, 4.6, 4.8). */
const CALL_PATHS: Record<CallKind, (subject: CallSubject) => string> = {
	checkCall: () => '/api/v1/track-and-trace/trigger-check-call',
	carrierSalesCall: () => '/api/v1/carrier-sales/trigger-call',
	agentCall: ({ agentId = '' }) =>
		`/api/v1/custom-use-cases/${pathPart('Agent ID', agentId)}/create-phone-call`,
};

/** The path of a call's endpoint. @throws ServiceFailure if a value can't be part of it */
export function callPath({ kind, subject }: CallTarget): string {
	return CALL_PATHS[kind](subject);
}
