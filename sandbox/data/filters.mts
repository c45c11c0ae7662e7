import type { BidRecord } from '../contract/bid.mts';
import type { CallRecord } from '../contract/call.mts';
import type { ConversationRecord } from '../contract/conversation.mts';
import type { CallFacts } from './call-facts.mts';
import { callOfConversation, conversationCount } from './conversations.mts';
import { callsAboutLoad, findLoad, type Load, loadIndexOf } from './loads.mts';
import { bisect, type Filter } from './series.mts';

export interface Wanted {
	loadId?: string | undefined;
	mcNumber?: string | undefined;
	/** Part of the pickup's "City, ST", whatever the case. */
	origin?: string | undefined;
	destination?: string | undefined;
}

/** What a record added later says about itself. */
interface Told {
	loads: string[];
	mcNumber: string | null | undefined;
}

const includes = (name: string, part: string | undefined): boolean =>
	part === undefined || name.toLowerCase().includes(part.trim().toLowerCase());

const onLane = (load: Load, { origin, destination }: Wanted): boolean =>
	includes(load.origin.name, origin) && includes(load.destination.name, destination);

function callMatcher(facts: CallFacts, wanted: Wanted): (call: number) => boolean {
	const load = wanted.loadId === undefined ? null : loadIndexOf(facts.brokerage, wanted.loadId);
	const carrier = wanted.mcNumber === undefined ? null : facts.network.indexOfMc(wanted.mcNumber);
	const laneAsked = wanted.origin !== undefined || wanted.destination !== undefined;
	return (call) => {
		if (carrier !== null && facts.carrierIndex(call) !== carrier) return false;
		if (load !== null && !facts.loadIndexes(call).includes(load)) return false;
		return !laneAsked || facts.loads(call).some((each) => onLane(each, wanted));
	};
}

function toldMatcher(facts: CallFacts, wanted: Wanted): (told: Told) => boolean {
	const laneAsked = wanted.origin !== undefined || wanted.destination !== undefined;
	return ({ loads, mcNumber }) => {
		if (wanted.loadId !== undefined && !loads.includes(wanted.loadId)) return false;
		if (wanted.mcNumber !== undefined && mcNumber !== wanted.mcNumber) return false;
		if (!laneAsked) return true;
		return loads.some((number) => {
			const load = findLoad(facts.brokerage, number);
			return load !== undefined && onLane(load, wanted);
		});
	};
}

/** `callOf` never falls: the call of one of the history's `size` records. */
function filterBy<T>(
	facts: CallFacts,
	wanted: Wanted,
	size: number,
	callOf: (index: number) => number,
	tell: (record: T) => Told,
): Filter<T> | undefined {
	const asked = [wanted.loadId, wanted.mcNumber, wanted.origin, wanted.destination];
	if (asked.every((each) => each === undefined)) return undefined;
	const matchesCall = callMatcher(facts, wanted);
	const matchesTold = toldMatcher(facts, wanted);
	const { from, to } =
		wanted.loadId === undefined
			? { from: 0, to: Infinity }
			: callsAboutLoad(loadIndexOf(facts.brokerage, wanted.loadId));
	return {
		key: JSON.stringify(asked),
		first: bisect(size, callOf, from),
		end: bisect(size, callOf, to),
		history: (index) => matchesCall(callOf(index)),
		added: (record) => matchesTold(tell(record)),
	};
}

export const filterCalls = (facts: CallFacts, wanted: Wanted): Filter<CallRecord> | undefined =>
	filterBy(
		facts,
		wanted,
		facts.brokerage.calls,
		(index) => index,
		(record) => ({ loads: record.loadIds ?? [], mcNumber: record.mcNumber }),
	);

export const filterConversations = (
	facts: CallFacts,
	wanted: Wanted,
): Filter<ConversationRecord> | undefined =>
	filterBy(
		facts,
		wanted,
		conversationCount(facts.brokerage.calls),
		(index) => callOfConversation(index).call,
		(record) => ({ loads: record.loads?.split(', ') ?? [], mcNumber: record.mcNumber }),
	);

/** A bid is made on one load: the first of its call. */
export function filterBids(facts: CallFacts, wanted: Wanted): Filter<BidRecord> | undefined {
	const filter = filterBy<BidRecord>(facts, wanted, facts.bids, facts.callOfBid, (record) => ({
		loads: [String(record.loadId)],
		mcNumber: record.carrierMc,
	}));
	if (!filter || wanted.loadId === undefined) return filter;
	const load = loadIndexOf(facts.brokerage, wanted.loadId);
	return {
		...filter,
		history: (bid) => filter.history(bid) && facts.loadIndexes(facts.callOfBid(bid))[0] === load,
	};
}
