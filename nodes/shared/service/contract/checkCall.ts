import type { Metadata, PlacedCall } from './call';

export const CONTACT_TYPES = ['driver', 'dispatcher'] as const;

export type ContactType = (typeof CONTACT_TYPES)[number];

/** The request body of a check call (contract 4.5). */
export interface CheckCallRequest {
	toPhone: string;
	nextStopIndex: number;
	loadNumber: string;
	driverName?: string | undefined;
	contactName?: string | undefined;
	contactType?: ContactType | undefined;
	waitingAtFacility?: boolean | undefined;
	askForTrackingApp?: string | undefined;
	metadata?: Metadata | undefined;
}

/**
 * The response to a check call request (contract 4.7). A null `call` means that none was placed.
 */
export interface CheckCallResponse {
	success: boolean;
	call: PlacedCall | null;
}
