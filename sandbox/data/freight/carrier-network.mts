import type { Brokerage } from '../brokerage.mts';
import { CARRIER_COUNT, networkCarrier, type NetworkCarrier } from './carriers.mts';

/** A brokerage's carriers, generated on first use. */
export interface CarrierNetwork {
	all(): readonly NetworkCarrier[];
	/** Wraps around, so every number is a carrier. */
	carrier(index: number): NetworkCarrier;
	/** -1 if there is none. */
	indexOfMc(mcNumber: string): number;
	byDot(dotNumber: number): NetworkCarrier | undefined;
}

export function openCarrierNetwork(brokerage: Brokerage): CarrierNetwork {
	let made: NetworkCarrier[] | undefined;
	const all = (): NetworkCarrier[] => {
		made ??= Array.from({ length: CARRIER_COUNT }, (_, i) => networkCarrier(brokerage, i));
		return made;
	};
	return {
		all,
		carrier: (index) => all()[index % CARRIER_COUNT] ?? networkCarrier(brokerage, index),
		indexOfMc: (mcNumber) => all().findIndex((carrier) => carrier.mcNumber === mcNumber),
		byDot: (dotNumber) => all().find((carrier) => carrier.dotNumber === dotNumber),
	};
}
