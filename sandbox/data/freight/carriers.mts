import type { Carrier, Lane } from '../../contract/carrier.mts';
import type { Brokerage } from '../brokerage.mts';
import { randomInt, randomFraction, pick } from '../seeded-random.mts';
import { milesBetween, type City, cities } from './cities.mts';
import { streams } from '../random-streams.mts';

export const CARRIER_COUNT = 400;

/** A carrier of the brokerage's network, with fields that the carriers list doesn't show. */
export interface NetworkCarrier extends Carrier {
	phone: string;
	extension: string;
	equipment: string[];
	connection: string;
	/** Where its lanes start and end, in the order of `lanes`. */
	laneEnds: { origin: City; destination: City }[];
}

const fronts = [
	'Prairie',
	'Blue Ridge',
	'Ironwood',
	'Tri-County',
	'Silver Fox',
	'Redline',
	'Summit',
];
const middles = ['Star', 'Valley', 'Cross', 'Point', 'River', 'Trail', 'Eagle', 'Creek', 'Bend'];
const ends = ['Trucking LLC', 'Transport Inc', 'Carriers LLC', 'Logistics Inc', 'Express LLC'];
const streets = ['Industrial Dr', 'Terminal Rd', 'Commerce Pkwy', 'Depot St', 'Railhead Ave'];
const equipmentSets = [
	['Dry Van'],
	['Dry Van', 'Reefer'],
	['Reefer'],
	['Flatbed'],
	['Flatbed', 'Step Deck'],
	['Dry Van', 'Power Only'],
];

/** A number that reaches nobody: 555-0100 to 555-0199 are reserved for fiction. */
const fictionalPhone = (place: City, drawn: number): string =>
	`+1${place.areaCode}55501${String(drawn % 100).padStart(2, '0')}`;

function networkLane(brokerage: Brokerage, index: number, lane: number, home: City) {
	const drawn = randomInt(brokerage.seed, index * 8 + lane, streams.carrierLanes);
	const away = pick(cities, drawn);
	const [origin, destination] = drawn & 1024 ? [away, home] : [home, away];
	const perMile = 1.9 + ((drawn >>> 11) % 120) / 100;
	const listed: Lane = {
		origin: origin.name,
		destination: destination.name,
		avgRate: (Math.max(milesBetween(origin, destination) * 1.18, 120) * perMile).toFixed(2),
		totalBids: 1 + ((drawn >>> 4) % 24),
	};
	return { listed, ends: { origin, destination } };
}

function average(rates: string[]): string {
	return (rates.reduce((sum, rate) => sum + Number(rate), 0) / rates.length).toFixed(2);
}

/** The carrier number `index` (0 to 399) of a brokerage's network. */
export function networkCarrier(brokerage: Brokerage, index: number): NetworkCarrier {
	const { seed, parity } = brokerage;
	const home = pick(cities, randomInt(seed, index, streams.carrierHome));
	const named = randomInt(seed, index, streams.carrierName);
	const phone = randomInt(seed, index, streams.carrierPhone);
	const fleet = randomFraction(seed, index, streams.carrierFleet);
	const rating = randomInt(seed, index, streams.carrierRating);
	const laneCount = 3 + (named % 4);
	const lanes = Array.from({ length: laneCount }, (_, lane) =>
		networkLane(brokerage, index, lane, home),
	);
	const name = `${pick(['Great Lakes', ...fronts], named)} ${pick(['Line', ...middles], named >>> 5)}`;
	return {
		// 7919 has no common factor with the ranges, so no number repeats.
		mcNumber: String(200_000 + 2 * ((index * 7919 + seed) % 399_989) + parity),
		dotNumber: 1_200_000 + 2 * ((index * 7919 + seed * 31) % 999_983) + parity,
		name: `${name} ${pick(['Freight LLC', ...ends], named >>> 10)}`,
		address: `${100 + (named % 8900)} ${pick(['Dock Rd', ...streets], named >>> 14)}, ${home.name} ${home.zip}`,
		fleetsize: Math.max(1, Math.round(fleet ** 3 * 240)),
		avgRate: average(lanes.map(({ listed }) => listed.avgRate)),
		lanes: lanes.map(({ listed }) => listed),
		// Contract 2.9: `pass` is the only documented value; `fail` is the sandbox's own.
		ruleAssessment: rating % 10 < 8 ? 'pass' : 'fail',
		phone: fictionalPhone(home, phone),
		extension: phone % 3 === 0 ? String(100 + ((phone >>> 8) % 900)) : '',
		equipment: pick([['Dry Van'], ...equipmentSets], named >>> 18),
		connection: (rating >>> 8) % 10 < 7 ? 'connected' : 'not_connected',
		laneEnds: lanes.map(({ ends: laneEnds }) => laneEnds),
	};
}
