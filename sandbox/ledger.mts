import type { Delivery, DialedCall, EndpointName, Ledger, LedgerRequest } from './types.mts';

/** The ledger, with methods to record requests, dialed calls and webhook deliveries. */
export interface WritableLedger extends Ledger {
	writeRequest(request: LedgerRequest): void;
	writeCall(call: DialedCall): void;
	writeDelivery(delivery: Delivery): void;
}

/** Creates an empty ledger. Its getters return copies of the lists. */
export function createLedger(): WritableLedger {
	let requests: LedgerRequest[] = [];
	let dialed: DialedCall[] = [];
	let deliveries: Delivery[] = [];
	return {
		writeRequest: (request) => void requests.push(request),
		writeCall: (call) => void dialed.push(call),
		writeDelivery: (delivery) => void deliveries.push(delivery),
		requests: (endpoint?: EndpointName | 'unknown') =>
			requests.filter((request) => endpoint === undefined || request.endpoint === endpoint),
		dialed: () => [...dialed],
		deliveries: () => [...deliveries],
		clear() {
			requests = [];
			dialed = [];
			deliveries = [];
		},
	};
}
