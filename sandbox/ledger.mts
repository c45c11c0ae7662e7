import type { Delivery, DialledCall, EndpointName, Ledger, LedgerRequest } from './types.mts';

/** The ledger with its pen: what was asked, what was dialled, what was delivered. */
export interface OpenLedger extends Ledger {
	writeRequest(request: LedgerRequest): void;
	writeCall(call: DialledCall): void;
	writeDelivery(delivery: Delivery): void;
}

/** An empty ledger. Reading hands out copies of the lists, never the lists. */
export function createLedger(): OpenLedger {
	let requests: LedgerRequest[] = [];
	let dialled: DialledCall[] = [];
	let deliveries: Delivery[] = [];
	return {
		writeRequest: (request) => void requests.push(request),
		writeCall: (call) => void dialled.push(call),
		writeDelivery: (delivery) => void deliveries.push(delivery),
		requests: (endpoint?: EndpointName | 'unknown') =>
			requests.filter((request) => endpoint === undefined || request.endpoint === endpoint),
		dialled: () => [...dialled],
		deliveries: () => [...deliveries],
		clear() {
			requests = [];
			dialled = [];
			deliveries = [];
		},
	};
}
