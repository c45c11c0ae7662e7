import type { Metadata, PlacedCall } from './call';

/** The request body of a carrier sales call (contract 4.6). */
export interface CarrierSalesCallRequest {
	dotNumber: number;
	toPhone: string;
	loadId: string;
	contactName?: string | undefined;
	metadata?: Metadata | undefined;
}

/**
 * The response to a carrier sales call request (contract 4.7). `message` says why a request failed.
 */
export interface CarrierSalesCallResponse {
	success: boolean;
	call: PlacedCall | null;
	message?: string | undefined;
}
