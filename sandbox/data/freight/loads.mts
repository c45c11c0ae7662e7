import type { Brokerage } from '../brokerage.mts';
import { randomInt, randomFraction, pick } from '../seeded-random.mts';
import { milesBetween, type City, cities } from './cities.mts';
import { streams } from '../random-streams.mts';

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

/** The index of the load with this number; -1 if there is none. */
export function loadIndexOf(brokerage: Brokerage, number: string): number {
	const index = Number(number) - brokerage.firstLoadNumber;
	const known = String(Number(number)) === number && Number.isInteger(index);
	return known && index >= 0 && index < loadCount(brokerage) ? index : -1;
}

/** The load with this number; undefined if the history has none. */
export function findLoad(brokerage: Brokerage, number: string): Load | undefined {
	const index = loadIndexOf(brokerage, number);
	return index < 0 ? undefined : loadAt(brokerage, index);
}

/**
 * The range of calls that may be about a load, as `loadsOfCall` chooses: `from` inclusive, `to`
 * exclusive.
 */
export const callsAboutLoad = (load: number): { from: number; to: number } =>
	load < 0 ? { from: 0, to: 0 } : { from: 3 * load, to: 3 * (load + 5) };

/**
 * The loads that call `index` is about, by index: usually one, sometimes two, and none if
 * `mustHave` is false and nobody named one.
 */
export function loadsOfCall(brokerage: Brokerage, index: number, mustHave: boolean): number[] {
	const drawn = randomInt(brokerage.seed, index, streams.loadOfCall);
	const kind = drawn % 100;
	if (kind < 8 && !mustHave) return [];
	const load = Math.max(0, Math.floor(index / 3) - ((drawn >>> 8) % 4));
	return kind > 94 && load > 0 ? [load, load - 1] : [load];
}
