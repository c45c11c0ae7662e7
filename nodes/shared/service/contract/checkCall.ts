import type { Metadata, PlacedCall } from './call';

export const CONTACT_TYPES = ['driver', 'dispatcher'] as const;

export type ContactType = (typeof CONTACT_TYPES)[number];

/** The body that asks for a check call about a load's next stop (contract 4.5). */
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

/** The answer to a check call request (contract 4.7). A `call` of null was not placed. */
export interface CheckCallResponse {
	success: boolean;
	call: PlacedCall | null;
}
