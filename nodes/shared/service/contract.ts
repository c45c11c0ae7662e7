import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { unusable } from './failure';

// The service's requests (docs/contributing/contract.md). Answers have no types here: their rows are passed on as
// they come, and what is read of them is checked where it is read.

export const CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';
/** Rows per request: as many as the service allows (contract 8). */
export const DEFAULT_PAGE_SIZE = 500;
/** Time limits for one request, up to the last byte of the response, and for it with all its retries. */
export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_RETRY_BUDGET_MS = 5 * 60_000;
/** The longest that reads can be set to keep retrying. */
export const MAX_RETRY_MS = 3_600_000;

export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
	/** Path below the base URL, with encoded segments. */
	path: string;
	query?: IDataObject | undefined;
	body?: IDataObject | undefined;
	/** Which load, carrier or lane it is about, for errors. */
	about?: string | undefined;
}

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

/** What the credential's owner lets workflows do: its Calls setting. */
export interface CallsSetting {
	mode: 'live' | 'testNumber' | 'dryRun' | 'paused';
	/** As typed; only `testNumber` uses it. */
	testNumber: string;
}

/** What a call is about, under the request's names: a load or an agent, and what else makes it another call. */
export interface CallSubject {
	loadNumber?: string;
	loadId?: string;
	agentId?: string;
	dotNumber?: number;
	[name: string]: string | number | undefined;
}

/**
 * Encodes a value as one path segment.
 * @throws ServiceFailure for values that can't be sent: empty, half a character, and "." and "..",
 * which URL parsers resolve even if they are encoded
 */
export function pathPart(name: string, value: string): string {
	const canBeSent = !['', '.', '..'].includes(value) && !/\p{Cs}/u.test(value);
	if (canBeSent) return encodeURIComponent(value);
	const what = `${name} ${value === '' ? 'is empty' : 'cannot be part of a URL'}`;
	throw unusable(what, `Enter the ${name} that the service operator gave you`);
}

/** The kind is part of what identifies a call, so it never changes. */
export type CallKind = 'checkCall' | 'carrierSalesCall' | 'agentCall';

export interface CallTarget {
	kind: CallKind;
	subject: CallSubject;
}
