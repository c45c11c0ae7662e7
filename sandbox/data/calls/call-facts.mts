import { type Brokerage, personName } from '../brokerage.mts';
import type { NetworkCarrier } from '../freight/carriers.mts';
import { randomInt, randomFraction, pick } from '../seeded-random.mts';
import { type Load, loadAt, loadsOfCall } from '../freight/loads.mts';
import { CARRIER_COUNT } from '../freight/carriers.mts';
import type { CarrierNetwork } from '../freight/carrier-network.mts';
import { streams } from '../random-streams.mts';
import { type CallContent, contentFor, type Topic } from './transcripts.mts';

/** The facts from which the history's calls, conversations and bids are generated. */
export interface CallFacts {
	brokerage: Brokerage;
	network: CarrierNetwork;
	/** Milliseconds since the epoch; rises with the index. */
	timeOf(index: number): number;
	/** A time after call `index` and before the next. */
	momentAfter(index: number): number;
	/** The load's position in the history. */
	loadIndexes(index: number): number[];
	loads(index: number): Load[];
	carrierIndex(index: number): number;
	topic(index: number): Topic;
	/** About every third call brings a bid; this is the call that brought bid `bid`. */
	callOfBid(bid: number): number;
	bids: number;
}

/** A call of the history with everything that was said. */
export interface HistoryCall extends CallContent {
	at: number;
	loads: Load[];
	carrier: NetworkCarrier;
	person: string;
	/** Dollars; null if the call brought no bid. */
	amount: number | null;
	/** Carriers call about loads (inbound). Check calls and voicemails are outbound. */
	inbound: boolean;
}

const topics: readonly [Topic, ...Topic[]] = [
	...(['enRoute', 'enRoute', 'enRoute', 'atFacility', 'delayed'] as const),
	...(['question', 'question', 'voicemail'] as const),
];

/** Facts about calls 0 to `brokerage.calls - 1`, oldest first. */
export function factsOf(brokerage: Brokerage, network: CarrierNetwork): CallFacts {
	const { seed, calls, start, end } = brokerage;
	const step = (end - start) / Math.max(calls, 1);
	const bids = Math.floor(calls / 3);
	const callOfBid = (bid: number): number => 3 * bid + (randomInt(seed, bid, streams.bidCall) % 3);
	const hasBid = (index: number): boolean => {
		const bid = Math.floor(index / 3);
		return bid < bids && callOfBid(bid) === index;
	};
	const loadIndexes = (index: number) => loadsOfCall(brokerage, index, hasBid(index));
	return {
		...{ brokerage, network, callOfBid, bids, loadIndexes },
		timeOf: (index) =>
			Math.floor(start + step * (index + 0.6 * randomFraction(seed, index, streams.moment))),
		momentAfter: (index) => Math.floor(start + step * (index + 0.8)),
		loads: (index) => loadIndexes(index).map((load) => loadAt(brokerage, load)),
		carrierIndex: (index) => randomInt(seed, index, streams.carrierOfCall) % CARRIER_COUNT,
		topic: (index) => (hasBid(index) ? 'bid' : pick(topics, randomInt(seed, index, streams.topic))),
	};
}

function amountAsked(seed: number, index: number, load: Load): number {
	const asked = 1 + randomFraction(seed, index, streams.bidAmount) * 0.3;
	return Math.round((load.rate * asked) / 25) * 25;
}

/** Call `index` of the history. */
export function historyCall(facts: CallFacts, index: number): HistoryCall {
	const { seed, name } = facts.brokerage;
	const topic = facts.topic(index);
	const loads = facts.loads(index);
	const [load] = loads;
	const carrier = facts.network.carrier(facts.carrierIndex(index));
	const person = personName(seed, index, streams.caller);
	const amount = topic === 'bid' && load ? amountAsked(seed, index, load) : null;
	const { summary, transcript, tags } = contentFor(topic, {
		broker: name,
		person,
		carrier: carrier.name,
		load,
		amount: amount ?? 0,
		variation: randomInt(seed, index, streams.content),
	});
	const inbound = topic === 'bid' || topic === 'question';
	const at = facts.timeOf(index);
	return { summary, transcript, tags, at, loads, carrier, person, amount, inbound };
}
