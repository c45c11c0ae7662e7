import type { Carrier, CarrierQuery } from '../../contract/carrier.mts';
import type { NetworkCarrier } from './carriers.mts';
import type { CarrierNetwork } from './carrier-network.mts';
import { findCity, milesBetween, type City } from './cities.mts';

/** Contract 4.3 gives no default radius. */
const DEFAULT_RADIUS_MILES = 100;

const plain = (equipment: string): string => equipment.toLowerCase().replace(/[^a-z]/g, '');

function hauls(carrier: NetworkCarrier, asked: string | undefined): boolean {
	const requested = (asked ?? '').split(',').map(plain).filter(Boolean);
	return (
		requested.length === 0 || carrier.equipment.some((each) => requested.includes(plain(each)))
	);
}

function near(city: City, center: City | undefined, name: string, radius: number): boolean {
	if (center) return milesBetween(city, center) <= radius;
	// For an unknown city, at least the state can be compared.
	return city.name.split(', ')[1]?.toLowerCase() === name.split(',')[1]?.trim().toLowerCase();
}

function show(carrier: NetworkCarrier): Carrier {
	const { mcNumber, dotNumber, name, address, fleetsize } = carrier;
	const { avgRate, lanes, ruleAssessment } = carrier;
	return { mcNumber, dotNumber, name, address, fleetsize, avgRate, lanes, ruleAssessment };
}

/**
 * Carriers that run from near the origin to near the destination, those with the most bids first.
 */
export function carriersByLane(network: CarrierNetwork, query: CarrierQuery): Carrier[] {
	const radius = query.radius ?? DEFAULT_RADIUS_MILES;
	const [origin, destination] = [findCity(query.origin), findCity(query.destination)];
	const bidsOnLane = (carrier: NetworkCarrier): number =>
		carrier.laneEnds.reduce((bids, lane, nth) => {
			const fits =
				near(lane.origin, origin, query.origin, radius) &&
				near(lane.destination, destination, query.destination, radius);
			return fits ? bids + (carrier.lanes[nth]?.totalBids ?? 0) : bids;
		}, 0);
	return network
		.all()
		.filter((carrier) => hauls(carrier, query.equipmentTypes))
		.map((carrier) => ({ carrier, bids: bidsOnLane(carrier) }))
		.filter(({ bids }) => bids > 0)
		.sort((one, other) => other.bids - one.bids)
		.map(({ carrier }) => show(carrier));
}
