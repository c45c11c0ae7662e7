import type { SalesBid } from '../../contract/bid.mts';
import { type CallFacts, historyCall } from './call-facts.mts';
import { isoTime } from '../series/iso-time.mts';
import type { History } from '../series/series.mts';

function record(facts: CallFacts, bid: number): SalesBid {
	const call = historyCall(facts, facts.callOfBid(bid));
	const { carrier } = call;
	const [load] = call.loads;
	return {
		loadId: load?.number ?? 0,
		originLocation: load?.origin.name ?? '',
		destinationLocation: load?.destination.name ?? '',
		carrierMc: carrier.mcNumber,
		carrierDot: String(carrier.dotNumber),
		phoneNumber: carrier.phone,
		extension: carrier.extension,
		callerName: call.person,
		callSummary: call.summary,
		callDateTime: isoTime(call.at),
	};
}

/** The bids of the history (contract 2.5). */
export const bidHistory = (facts: CallFacts): History => ({
	size: facts.bids,
	timeOf: (bid) => facts.timeOf(facts.callOfBid(bid)),
	json: (bid) => JSON.stringify(record(facts, bid)),
});
