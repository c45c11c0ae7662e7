import type { Pagination } from './pagination';

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

/** A day's metrics (contract 2.7). */
export interface AnalyticsMetrics {
	totalCalls: number;
	successfulCalls: number;
	averageCallDuration: number;
	totalBids: number;
	acceptedBids: number;
}

export interface AnalyticsEntry {
	date: string;
	metrics: AnalyticsMetrics;
}

/** The range of days, both ends as YYYY-MM-DD, and the metric (contract 4.4). */
export interface AnalyticsQuery {
	startDate: string;
	endDate: string;
	metric?: AnalyticsMetric | undefined;
}

export interface AnalyticsPage {
	data: AnalyticsEntry[];
	pagination: Pagination;
}
