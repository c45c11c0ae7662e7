import type { OrganizationName } from '../types.mts';

/** Everything an organization's records depend on. */
export interface Brokerage {
	organization: OrganizationName;
	seed: number;
	/** Calls in the history, without those placed or inserted later. */
	calls: number;
	/** Milliseconds since the epoch: the history runs from `start` to `end`. */
	start: number;
	end: number;
	/** The number it calls from. */
	line: string;
	name: string;
	/** IDs start above these. The two organizations' ranges never overlap. */
	firstCallId: number;
	firstConversationId: number;
	firstLoadNumber: number;
	/** 0 or 1: separates the organizations' MC and DOT numbers. */
	parity: number;
	/** The service's own URL, for recording URLs. Known once it listens. */
	serviceUrl(): string;
}

const identities = {
	north: {
		name: 'Lakeshore Freight Brokerage',
		line: '+18725550100',
		firstCallId: 10_000_001,
		firstConversationId: 110_000_001,
		firstLoadNumber: 40_001,
		parity: 0,
	},
	south: {
		name: 'Gulf Meridian Logistics',
		line: '+12145550180',
		firstCallId: 60_000_001,
		firstConversationId: 160_000_001,
		firstLoadNumber: 5_000_001,
		parity: 1,
	},
} as const;

interface History {
	seed: number;
	calls: number;
	historyDays: number;
	/** Added to the IDs of calls and conversations. */
	idOffset?: number;
	/** Milliseconds since the epoch at which the history ends. */
	end: number;
	serviceUrl(): string;
}

const DAY_MS = 86_400_000;

/** One of the two organizations, with its own history. */
export function openBrokerage(organization: OrganizationName, history: History): Brokerage {
	const identity = identities[organization];
	const offset = history.idOffset ?? 0;
	return {
		organization,
		...identity,
		firstCallId: identity.firstCallId + offset,
		firstConversationId: identity.firstConversationId + offset,
		seed: history.seed * 2 + identity.parity,
		calls: history.calls,
		start: history.end - history.historyDays * DAY_MS,
		end: history.end,
		serviceUrl: history.serviceUrl,
	};
}

const firstNames: readonly [string, ...string[]] = [
	'Sam',
	...['Marcus', 'Elena', 'Dwayne', 'Priya', 'Tomasz', 'Rosa', 'Gurpreet', 'Leticia', 'Curtis'],
	...['Andre', 'Yolanda', 'Viktor', 'Shanice', 'Hector', 'Amarjit', 'Colleen', 'Rashid', 'Darnell'],
];
const lastNames: readonly [string, ...string[]] = [
	'Ellis',
	...[
		'Whitaker',
		'Morales',
		'Singh',
		'Kowalski',
		'Okafor',
		'Delgado',
		'Brandt',
		'Hughes',
		'Petrov',
	],
	...['Castillo', 'Nguyen', 'Dhillon', 'Foster', 'Abdi', 'Reyes', 'Lindgren', 'Boone', 'Tran'],
];

/** A random person's name. */
export function personName(seed: number, index: number, stream: Stream): string {
	const drawn = randomInt(seed, index, stream);
	const first = pick(firstNames, drawn);
	return `${first} ${pick(lastNames, drawn >>> 8)}`;
}

/** What a random number is for. The same record gets a different number for each stream. */
export type Stream = number;

/** A 32-bit random number that depends only on seed, index and stream. */
export function randomInt(seed: number, index: number, stream: Stream): number {
	let mixed = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
	mixed ^= Math.imul(stream + 1, 0x27d4eb2f);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The same, from 0 (inclusive) to 1 (exclusive). */
export const randomFraction = (seed: number, index: number, stream: Stream): number =>
	randomInt(seed, index, stream) / 2 ** 32;

/** An element of a non-empty list. */
export function pick<T>(list: readonly [T, ...T[]], drawn: number): T {
	return list[drawn % list.length] ?? list[0];
}

/** One number per kind of random value, so that the values are independent. */
export const streams = {
	moment: 1,
	loadOfCall: 2,
	carrierOfCall: 3,
	topic: 4,
	bidCall: 5,
	caller: 6,
	loadLane: 7,
	loadEquipment: 8,
	loadRate: 9,
	carrierName: 10,
	carrierHome: 11,
	carrierFleet: 12,
	carrierLanes: 13,
	carrierPhone: 14,
	carrierRating: 15,
	bidAmount: 16,
	dayMetrics: 18,
	email: 19,
	content: 20,
} as const;
