import type { TotalOnly } from './pagination';

/** A lane that a carrier has run (contract 2.6). Places are city and state. */
export interface Lane {
	origin: string;
	destination: string;
	avgRate: string;
	totalBids: number;
}

/** A carrier with its lane history and the rule assessment (contract 2.6). */
export interface Carrier {
	mcNumber: string;
	dotNumber: number;
	name: string;
	address: string;
	fleetsize: number;
	avgRate: string;
	lanes: Lane[];
	ruleAssessment: string;
}

/** Carriers by lane (contract 4.3): places as "City, ST", radius in miles, equipment comma-separated. */
export interface CarrierQuery {
	origin: string;
	destination: string;
	radius?: number | undefined;
	equipmentTypes?: string | undefined;
}

export interface CarrierPage {
	carriers: Carrier[];
	pagination: TotalOnly;
}
