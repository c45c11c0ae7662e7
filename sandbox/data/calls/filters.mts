import type { BidRecord } from '../../contract/bid.mts';
import type { CallRecord } from '../../contract/call.mts';
import type { ConversationRecord } from '../../contract/conversation.mts';
import type { CallFacts } from './call-facts.mts';
import { callOfConversation, conversationCount } from './conversations.mts';
import { callsAboutLoad, findLoad, type Load, loadIndexOf } from '../freight/loads.mts';
import { bisect, type Filter } from '../series/series.mts';

export interface RecordFilters {
	loadId?: string | undefined;
	mcNumber?: string | undefined;
	/** Part of the pickup's "City, ST", in upper or lower case. */
	origin?: string | undefined;
	destination?: string | undefined;
}

/** The fields of a record added later. */
interface RecordKeys {
	loads: string[];
	mcNumber: string | null | undefined;
}

const includes = (name: string, part: string | undefined): boolean =>
	part === undefined || name.toLowerCase().includes(part.trim().toLowerCase());

const onLane = (load: Load, { origin, destination }: RecordFilters): boolean =>
	includes(load.origin.name, origin) && includes(load.destination.name, destination);

function callMatcher(facts: CallFacts, filters: RecordFilters): (call: number) => boolean {
	const load = filters.loadId === undefined ? null : loadIndexOf(facts.brokerage, filters.loadId);
	const carrier = filters.mcNumber === undefined ? null : facts.network.indexOfMc(filters.mcNumber);
	const filtersByLane = filters.origin !== undefined || filters.destination !== undefined;
	return (call) => {
		if (carrier !== null && facts.carrierIndex(call) !== carrier) return false;
		if (load !== null && !facts.loadIndexes(call).includes(load)) return false;
		return !filtersByLane || facts.loads(call).some((each) => onLane(each, filters));
	};
}

function addedMatcher(facts: CallFacts, filters: RecordFilters): (keys: RecordKeys) => boolean {
	const filtersByLane = filters.origin !== undefined || filters.destination !== undefined;
	return ({ loads, mcNumber }) => {
		if (filters.loadId !== undefined && !loads.includes(filters.loadId)) return false;
		if (filters.mcNumber !== undefined && mcNumber !== filters.mcNumber) return false;
		if (!filtersByLane) return true;
		return loads.some((number) => {
			const load = findLoad(facts.brokerage, number);
			return load !== undefined && onLane(load, filters);
		});
	};
}

/** Returns the call of a record of the history; it never decreases with the record's index. */
function filterBy<T>(
	facts: CallFacts,
	filters: RecordFilters,
	size: number,
	callOf: (index: number) => number,
	keysOf: (record: T) => RecordKeys,
): Filter<T> | undefined {
	const values = [filters.loadId, filters.mcNumber, filters.origin, filters.destination];
	if (values.every((each) => each === undefined)) return undefined;
	const matchesCall = callMatcher(facts, filters);
	const matchesAdded = addedMatcher(facts, filters);
	const { from, to } =
		filters.loadId === undefined
			? { from: 0, to: Infinity }
			: callsAboutLoad(loadIndexOf(facts.brokerage, filters.loadId));
	return {
		key: JSON.stringify(values),
		first: bisect(size, callOf, from),
		end: bisect(size, callOf, to),
		history: (index) => matchesCall(callOf(index)),
		added: (record) => matchesAdded(keysOf(record)),
	};
}

export const filterCalls = (
	facts: CallFacts,
	filters: RecordFilters,
): Filter<CallRecord> | undefined =>
	filterBy(
		facts,
		filters,
		facts.brokerage.calls,
		(index) => index,
		(record) => ({ loads: record.loadIds ?? [], mcNumber: record.mcNumber }),
	);

export const filterConversations = (
	facts: CallFacts,
	filters: RecordFilters,
): Filter<ConversationRecord> | undefined =>
	filterBy(
		facts,
		filters,
		conversationCount(facts.brokerage.calls),
		(index) => callOfConversation(index).call,
		(record) => ({ loads: record.loads?.split(', ') ?? [], mcNumber: record.mcNumber }),
	);

/** A bid is about one load: the first one of its call. */
export function filterBids(
	facts: CallFacts,
	filters: RecordFilters,
): Filter<BidRecord> | undefined {
	const filter = filterBy<BidRecord>(facts, filters, facts.bids, facts.callOfBid, (record) => ({
		loads: [String(record.loadId)],
		mcNumber: record.carrierMc,
	}));
	if (!filter || filters.loadId === undefined) return filter;
	const load = loadIndexOf(facts.brokerage, filters.loadId);
	return {
		...filter,
		history: (bid) => filter.history(bid) && facts.loadIndexes(facts.callOfBid(bid))[0] === load,
	};
}
