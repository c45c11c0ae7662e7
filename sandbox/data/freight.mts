import type { Carrier, CarrierQuery, Lane } from '../contract.mts';
import { type Brokerage, pick, randomFraction, randomInt, streams } from './brokerage.mts';

/** A load of the brokerage. */
export interface Load {
	number: number;
	origin: City;
	destination: City;
	equipment: string;
	miles: number;
	/** The brokerage's offer in dollars. */
	rate: number;
}

const equipmentTypes = ['Dry Van', 'Dry Van', 'Reefer', 'Flatbed'] as const;

/** Number of loads in the history: about three calls are about each. */
export const loadCount = (brokerage: Brokerage): number => Math.floor(brokerage.calls / 3) + 1;

/** The history's load at an index. */
export function loadAt(brokerage: Brokerage, index: number): Load {
	const { seed } = brokerage;
	const lane = randomInt(seed, index, streams.loadLane);
	const origin = pick(cities, lane);
	const other = pick(cities, lane >>> 9);
	const destination = other === origin ? pick(cities, (lane % cities.length) + 1) : other;
	const miles = Math.round(Math.max(milesBetween(origin, destination) * 1.18, 40));
	const perMile = 1.85 + randomFraction(seed, index, streams.loadRate) * 1.2;
	return {
		number: brokerage.firstLoadNumber + index,
		origin,
		destination,
		equipment: pick(equipmentTypes, randomInt(seed, index, streams.loadEquipment)),
		miles,
		rate: Math.round((350 + miles * perMile) / 25) * 25,
	};
}

/** The load with this number; undefined if the history has none. */
export function findLoad(brokerage: Brokerage, number: string): Load | undefined {
	const index = Number(number) - brokerage.firstLoadNumber;
	const isKnown = String(Number(number)) === number && Number.isInteger(index);
	const exists = isKnown && index >= 0 && index < loadCount(brokerage);
	return exists ? loadAt(brokerage, index) : undefined;
}

/**
 * The loads that call `index` is about, by index: usually one, sometimes two, and none if
 * `mustHave` is false and no one named one.
 */
export function loadsOfCall(brokerage: Brokerage, index: number, mustHave: boolean): number[] {
	const drawn = randomInt(brokerage.seed, index, streams.loadOfCall);
	const kind = drawn % 100;
	if (kind < 8 && !mustHave) return [];
	const load = Math.max(0, Math.floor(index / 3) - ((drawn >>> 8) % 4));
	return kind > 94 && load > 0 ? [load, load - 1] : [load];
}

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

/** A number that reaches no one: 555-0100 to 555-0199 are reserved for fiction. */
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
function networkCarrier(brokerage: Brokerage, index: number): NetworkCarrier {
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

export interface City {
	/** "Joliet, IL" */
	name: string;
	latitude: number;
	longitude: number;
	zip: string;
	areaCode: string;
}

const table = `Joliet, IL|41.53|-88.08|60431|815
Chicago, IL|41.88|-87.63|60608|312
Elk Grove Village, IL|42.00|-87.97|60007|847
Indianapolis, IN|39.77|-86.16|46241|317
Gary, IN|41.59|-87.35|46406|219
Columbus, OH|39.96|-83.00|43217|614
Toledo, OH|41.65|-83.54|43612|419
Cincinnati, OH|39.10|-84.51|45246|513
Detroit, MI|42.33|-83.05|48210|313
Grand Rapids, MI|42.96|-85.67|49512|616
Milwaukee, WI|43.04|-87.91|53221|414
Green Bay, WI|44.51|-88.01|54304|920
Minneapolis, MN|44.98|-93.27|55413|612
Des Moines, IA|41.59|-93.62|50313|515
Omaha, NE|41.26|-95.94|68138|402
Kansas City, MO|39.10|-94.58|64120|816
St. Louis, MO|38.63|-90.20|63147|314
Springfield, MO|37.21|-93.29|65803|417
Louisville, KY|38.25|-85.76|40213|502
Nashville, TN|36.16|-86.78|37211|615
Memphis, TN|35.15|-90.05|38118|901
Chattanooga, TN|35.05|-85.31|37421|423
Atlanta, GA|33.75|-84.39|30336|404
Savannah, GA|32.08|-81.09|31408|912
Birmingham, AL|33.52|-86.80|35217|205
Mobile, AL|30.69|-88.04|36619|251
Jacksonville, FL|30.33|-81.66|32219|904
Lakeland, FL|28.04|-81.95|33811|863
Miami, FL|25.76|-80.19|33178|305
Charlotte, NC|35.23|-80.84|28273|704
Greensboro, NC|36.07|-79.79|27409|336
Greenville, SC|34.85|-82.40|29607|864
Charleston, SC|32.78|-79.93|29418|843
Richmond, VA|37.54|-77.44|23231|804
Norfolk, VA|36.85|-76.29|23502|757
Baltimore, MD|39.29|-76.61|21224|410
Harrisburg, PA|40.27|-76.88|17112|717
Allentown, PA|40.60|-75.49|18106|610
Pittsburgh, PA|40.44|-79.99|15275|412
Newark, NJ|40.74|-74.17|07114|973
Buffalo, NY|42.89|-78.88|14206|716
Syracuse, NY|43.05|-76.15|13209|315
Worcester, MA|42.26|-71.80|01607|508
Dallas, TX|32.78|-96.80|75212|214
Fort Worth, TX|32.76|-97.33|76106|817
Houston, TX|29.76|-95.37|77029|713
San Antonio, TX|29.42|-98.49|78219|210
Laredo, TX|27.51|-99.51|78045|956
El Paso, TX|31.76|-106.49|79928|915
Oklahoma City, OK|35.47|-97.52|73128|405
Little Rock, AR|34.75|-92.29|72206|501
Shreveport, LA|32.53|-93.75|71109|318
New Orleans, LA|29.95|-90.07|70126|504
Jackson, MS|32.30|-90.18|39209|601
Denver, CO|39.74|-104.99|80216|303
Salt Lake City, UT|40.76|-111.89|84104|801
Albuquerque, NM|35.08|-106.65|87105|505
Phoenix, AZ|33.45|-112.07|85043|602
Las Vegas, NV|36.17|-115.14|89115|702
Reno, NV|39.53|-119.81|89506|775
Los Angeles, CA|34.05|-118.24|90058|213
Ontario, CA|34.06|-117.65|91761|909
Stockton, CA|37.96|-121.29|95206|209
Fresno, CA|36.74|-119.79|93725|559
Oakland, CA|37.80|-122.27|94621|510
Portland, OR|45.52|-122.68|97218|503
Seattle, WA|47.61|-122.33|98108|206
Spokane, WA|47.66|-117.43|99224|509
Boise, ID|43.62|-116.20|83716|208
Billings, MT|45.78|-108.50|59101|406`;

function parseCity(line: string): City {
	const [name = '', latitude, longitude, zip = '', areaCode = ''] = line.split('|');
	return { name, latitude: Number(latitude), longitude: Number(longitude), zip, areaCode };
}

const [first = '', ...rest] = table.split('\n');

/** Real cities where freight is loaded and unloaded. Never empty. */
const cities: readonly [City, ...City[]] = [parseCity(first), ...rest.map(parseCity)];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Air miles between two cities. */
function milesBetween(from: City, to: City): number {
	const halfLatitude = Math.sin(radians(to.latitude - from.latitude) / 2);
	const halfLongitude = Math.sin(radians(to.longitude - from.longitude) / 2);
	const flat = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
	return 7918 * Math.asin(Math.sqrt(halfLatitude ** 2 + flat * halfLongitude ** 2));
}

const spelling = (name: string): string =>
	name
		.toLowerCase()
		.replace(/\s*,\s*/, ', ')
		.trim();

const byName = new Map(cities.map((place) => [spelling(place.name), place]));

/** The city named "City, ST", in upper or lower case; undefined if the sandbox doesn't know it. */
const findCity = (name: string): City | undefined => byName.get(spelling(name));
