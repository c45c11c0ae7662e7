import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { randomFraction } from '../../../../sandbox/data/seeded-random.mts';

/** What a call really said. A fact that is missing was not said, or not extracted. */
export interface Facts {
	eta?: string;
	arrivedAt?: string;
	delayed?: boolean;
	delayReason?: string;
	offeredRate?: number;
	doNotCall?: boolean;
}

export interface LabeledEvent {
	body: object;
	facts: Facts;
}

export const FACTS = [
	...(['eta', 'arrivedAt', 'delayed', 'delayReason', 'offeredRate', 'doNotCall'] as const),
];

type Pick = <One>(choices: readonly [One, ...One[]]) => One;

const NAMES: Record<keyof Facts, readonly [string, ...string[]]> = {
	eta: ['eta', 'ETA', 'current eta', 'estimated arrival', 'updated ETA'],
	arrivedAt: ['arrived at', 'arrival time', 'actual arrival', 'check in time'],
	delayed: ['delayed', 'is delayed', 'running late', 'on time'],
	delayReason: ['delay reason', 'reason for delay', 'cause of delay'],
	offeredRate: ['offered rate', 'quoted rate', 'carrier rate', 'bid amount'],
	doNotCall: ['asked not to be called', 'do not call', 'dnc', 'opt out'],
};

const STYLES: readonly [(words: string) => string, ...((words: string) => string)[]] = [
	(words) => words.replace(/ (\w)/g, (_all, letter: string) => letter.toUpperCase()),
	(words) => words.replaceAll(' ', '_'),
	(words) => words.replaceAll(' ', '-'),
	(words) => words.replace(/\b\w/g, (letter) => letter.toUpperCase()),
	(words) => words.toUpperCase().replaceAll(' ', '_'),
];

const NOT_SAID: readonly [unknown, ...unknown[]] = [
	'',
	...[null, ' ', 'N/A', 'unknown', 'none', 'not mentioned', 'Not provided', 'null', 'TBD', '-'],
];

/** Similar data that is none of the facts. */
const DECOYS: JsonObject[] = [
	{ postedRate: 1900, confidence: 0.93 },
	{ appointment: '2026-11-20T16:00:00Z', miles: 412 },
	{ reached: true, sentiment: 'calm' },
	{ weight_lbs: '42000', equipment: 'reefer' },
];

/** Transcripts say things that nobody extracted: the columns must stay empty. */
const TRANSCRIPT =
	'Driver: I will be there at 3 PM. Traffic is bad.\nDriver: I need $2,450. Never call me again.';

/** Seeded events of calls, with what they say: names, formats, nesting and event shapes vary. */
export function labeledEvents(count: number, seed: number): LabeledEvent[] {
	let drawn = 0;
	const random = () => randomFraction(seed, drawn++, 0);
	const pick: Pick = (choices) => choices[Math.floor(random() * choices.length)] ?? choices[0];
	return Array.from({ length: count }, (_one, index) => {
		const facts = factsBy(pick, random);
		const extracted = { ...pick([{}, ...DECOYS]), ...extractedFrom(facts, pick, random) };
		return { body: bodyOf(1000 + index, extracted, pick), facts };
	});
}

function factsBy(pick: Pick, random: () => number): Facts {
	const said = () => random() < 0.6;
	return {
		...(said() && { eta: pick(['2026-11-20T21:00:00Z', '3 PM', 'tomorrow 14:30', 'in 2 hours']) }),
		...(said() && { arrivedAt: pick(['2026-11-20T13:10:00-06:00', '1:10 PM', '13:10']) }),
		...(said() && { delayed: pick([true, false]) }),
		...(said() && { delayReason: pick(['detention', 'traffic on I-80', 'flat tire', 'weather']) }),
		...(said() && { offeredRate: pick([2450, 1800.5, 975, 3000]) }),
		...(said() && { doNotCall: pick([true, false]) }),
	};
}

function extractedFrom(facts: Facts, pick: Pick, random: () => number): JsonObject {
	const style = pick(STYLES);
	const wrap = pick<(value: unknown) => unknown>([
		(value) => value,
		(value) => value,
		(value) => ({ value, confidence: 0.8 }),
	]);
	const entries = FACTS.flatMap((fact): Array<[string, unknown]> => {
		const name = pick(NAMES[fact]);
		const value = facts[fact];
		if (value === undefined) return random() < 0.5 ? [] : [[style(name), pick(NOT_SAID)]];
		return [[style(name), wrap(written(name, value, pick))]];
	});
	return pick([
		Object.fromEntries(entries),
		Object.fromEntries(entries),
		{ stop: Object.fromEntries(entries) },
		{ fields: entries.map(([name, value]) => ({ name, value })) },
	]);
}

function written(name: string, value: string | number | boolean, pick: Pick): unknown {
	if (typeof value === 'boolean') {
		const said = name === 'on time' ? !value : value;
		const yes = [true, 'true', 'yes', 'Yes', 1] as const;
		const no = [false, 'false', 'no', 'No', 0] as const;
		return pick<unknown>(said ? yes : no);
	}
	if (typeof value === 'string') return pick([value, ` ${value} `]);
	const thousands = value.toLocaleString('en-US');
	return pick<unknown>([
		value,
		String(value),
		`$${thousands}`,
		`${thousands} USD`,
		`$${value} all in`,
	]);
}

function bodyOf(callId: number, extracted: JsonObject, pick: Pick): object {
	const call = { callId, transcript: TRANSCRIPT, extractedData: extracted };
	return pick<object>([
		{ event: 'call_ended', ...call, inputData: { metadata: { loadNumber: '48213' } } },
		{ event: 'call.completed', ...call, metadata: { loadNumber: '48213' } },
		{ event: 'call.completed', data: { ...call, metadata: { loadNumber: '48213' } } },
		{ events: [{ type: 'call.completed', data: { call } }] },
	]);
}
