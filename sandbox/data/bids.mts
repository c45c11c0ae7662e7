import type { SalesBid } from '../contract/bid.mts';
import { type CallFacts, tellCall } from './call-facts.mts';
import { isoTime } from './clock.mts';
import type { History } from './series.mts';

function record(facts: CallFacts, bid: number): SalesBid {
	const told = tellCall(facts, facts.callOfBid(bid));
	const { carrier } = told;
	const [load] = told.loads;
	return {
		loadId: load?.number ?? 0,
		originLocation: load?.origin.name ?? '',
		destinationLocation: load?.destination.name ?? '',
		carrierMc: carrier.mcNumber,
		carrierDot: String(carrier.dotNumber),
		phoneNumber: carrier.phone,
		extension: carrier.extension,
		callerName: told.person,
		callSummary: told.summary,
		callDateTime: isoTime(told.at),
	};
}

/** The bids of the history (contract 2.5). */
export const bidHistory = (facts: CallFacts): History => ({
	size: facts.bids,
	timeOf: (bid) => facts.timeOf(facts.callOfBid(bid)),
	json: (bid) => JSON.stringify(record(facts, bid)),
});
