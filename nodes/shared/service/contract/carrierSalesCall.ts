import type { Metadata, PlacedCall } from './call';

/** The body that asks for a carrier sales call about a load (contract 4.6). */
export interface CarrierSalesCallRequest {
	dotNumber: number;
	toPhone: string;
	loadId: string;
	contactName?: string | undefined;
	metadata?: Metadata | undefined;
}

/** The answer to a carrier sales call request (contract 4.7); `message` says why one failed. */
export interface CarrierSalesCallResponse {
	success: boolean;
	call: PlacedCall | null;
	message?: string | undefined;
}
