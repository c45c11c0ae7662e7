import type { AnalyticsEntry } from '../../contract/analytics.mts';
import type { Brokerage } from '../brokerage.mts';
import { randomInt } from '../seeded-random.mts';
import { streams } from '../random-streams.mts';

const DAY_MS = 86_400_000;

interface Counter {
	/** How many there are between two times, both inclusive, in milliseconds. */
	count(from: number, to: number): number;
}

/** The number of days between two dates, both inclusive; dates are YYYY-MM-DD in UTC. */
export const dayCount = (startDate: string, endDate: string): number =>
	Math.max(0, (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1);

/** The figures of one day, `nth` days after the start date. */
export function dayMetrics(
	brokerage: Brokerage,
	calls: Counter,
	bids: Counter,
	startDate: string,
	nth: number,
): AnalyticsEntry {
	const from = Date.parse(startDate) + nth * DAY_MS;
	const drawn = randomInt(brokerage.seed, from / DAY_MS, streams.dayMetrics);
	const totalCalls = calls.count(from, from + DAY_MS - 1);
	const totalBids = bids.count(from, from + DAY_MS - 1);
	return {
		date: new Date(from).toISOString(),
		metrics: {
			totalCalls,
			successfulCalls: Math.round(totalCalls * (0.7 + (drawn % 25) / 100)),
			/** Seconds. */
			averageCallDuration: totalCalls === 0 ? 0 : 60 + ((drawn >>> 8) % 1200) / 10,
			totalBids,
			acceptedBids: Math.floor(totalBids * (0.15 + ((drawn >>> 16) % 20) / 100)),
		},
	};
}
