// The service's requests (docs/contributing/contract.md). Answers have no types here: their rows are passed on as
// they come, and what is read of them is checked where it is read.

/** A time range of a list, in ISO 8601 with a zone (contract 4.1). */
export interface TimeRange {
	startTime: string;
	endTime: string;
}

/** Filters that conversations, calls and bids share (contract 4.1). */
export interface ListQuery extends TimeRange {
	loadId?: string | undefined;
	mcNumber?: string | undefined;
}

/** Filters of the conversations list (contract 4.2), with the pickup and delivery address. */
export interface ConversationQuery extends ListQuery {
	origin?: string | undefined;
	destination?: string | undefined;
}

/** Carriers by lane (contract 4.3): places as "City, ST", radius in miles, equipment comma-separated. */
export interface CarrierQuery {
	origin: string;
	destination: string;
	radius?: number | undefined;
	equipmentTypes?: string | undefined;
}

/** The metrics that can be requested (contract 4.4). */
export const ANALYTICS_METRICS = [
	'average_rate',
	'avg_call_duration',
	'total_bids',
	'call_volume',
	'loads_touched',
	'loads_booked',
] as const;

export type AnalyticsMetric = (typeof ANALYTICS_METRICS)[number];

/** The range of days, both ends as YYYY-MM-DD, and the metric (contract 4.4). */
export interface AnalyticsQuery {
	startDate: string;
	endDate: string;
	metric?: AnalyticsMetric | undefined;
}

/** Key-value pairs that webhook events about the call contain (contract 2.8). */
export type Metadata = Record<string, string | number>;
