import { type Brokerage, personName } from './brokerage.mts';
import type { NetworkCarrier } from './carriers.mts';
import { draw, drawFraction, pick } from './chance.mts';
import { type Load, loadAt, loadsOfCall } from './loads.mts';
import { CARRIER_COUNT } from './carriers.mts';
import type { Network } from './network.mts';
import { purposes } from './purposes.mts';
import { type Talk, talkAbout, type Topic } from './talk.mts';

/** What calls, conversations and bids of the history are all told from. */
export interface CallFacts {
	brokerage: Brokerage;
	network: Network;
	/** Milliseconds since the epoch; rises with the index. */
	timeOf(index: number): number;
	/** A moment after call `index` and before the next. */
	momentAfter(index: number): number;
	/** Loads counted from the history's first. */
	loadIndexes(index: number): number[];
	loads(index: number): Load[];
	carrierIndex(index: number): number;
	topic(index: number): Topic;
	/** Every third call or so brings a bid; this is the call that brought bid `bid`. */
	callOfBid(bid: number): number;
	bids: number;
}

/** A call of the history with all that was said. */
export interface ToldCall extends Talk {
	at: number;
	loads: Load[];
	carrier: NetworkCarrier;
	person: string;
	/** Dollars; null when the call brought no bid. */
	amount: number | null;
	/** Carriers ring in about loads; check calls and voicemails go out. */
	inbound: boolean;
}

const topics: readonly [Topic, ...Topic[]] = [
	...(['enRoute', 'enRoute', 'enRoute', 'atFacility', 'delayed'] as const),
	...(['question', 'question', 'voicemail'] as const),
];

/** Facts about calls 0 to `brokerage.calls - 1`, oldest first. */
export function factsOf(brokerage: Brokerage, network: Network): CallFacts {
	const { seed, calls, start, end } = brokerage;
	const step = (end - start) / Math.max(calls, 1);
	const bids = Math.floor(calls / 3);
	const callOfBid = (bid: number): number => 3 * bid + (draw(seed, bid, purposes.bidCall) % 3);
	const hasBid = (index: number): boolean => {
		const bid = Math.floor(index / 3);
		return bid < bids && callOfBid(bid) === index;
	};
	const loadIndexes = (index: number) => loadsOfCall(brokerage, index, hasBid(index));
	return {
		...{ brokerage, network, callOfBid, bids, loadIndexes },
		timeOf: (index) =>
			Math.floor(start + step * (index + 0.6 * drawFraction(seed, index, purposes.moment))),
		momentAfter: (index) => Math.floor(start + step * (index + 0.8)),
		loads: (index) => loadIndexes(index).map((load) => loadAt(brokerage, load)),
		carrierIndex: (index) => draw(seed, index, purposes.carrierOfCall) % CARRIER_COUNT,
		topic: (index) => (hasBid(index) ? 'bid' : pick(topics, draw(seed, index, purposes.topic))),
	};
}

function amountAsked(seed: number, index: number, load: Load): number {
	const asked = 1 + drawFraction(seed, index, purposes.bidAmount) * 0.3;
	return Math.round((load.rate * asked) / 25) * 25;
}

/** Call `index` of the history. */
export function tellCall(facts: CallFacts, index: number): ToldCall {
	const { seed, name } = facts.brokerage;
	const topic = facts.topic(index);
	const loads = facts.loads(index);
	const [load] = loads;
	const carrier = facts.network.carrier(facts.carrierIndex(index));
	const person = personName(seed, index, purposes.caller);
	const amount = topic === 'bid' && load ? amountAsked(seed, index, load) : null;
	const { summary, transcript, tags } = talkAbout(topic, {
		broker: name,
		person,
		carrier: carrier.name,
		load,
		amount: amount ?? 0,
		chance: draw(seed, index, purposes.talk),
	});
	const inbound = topic === 'bid' || topic === 'question';
	const at = facts.timeOf(index);
	return { summary, transcript, tags, at, loads, carrier, person, amount, inbound };
}
