/**
 * How a request failed.
 *
 * - `configuration`: what was to be sent or where to cannot be used, nothing was sent
 * - `unreachable`: no connection came about (refused, name not found, no route), nothing was sent
 * - `tls`: the certificate was not accepted, nothing was sent
 * - `timeout`, `interrupted`: the connection gave no answer; the request may have been carried out
 * - `status`: the service answered with an error status
 * - `unreadable`: the answer was not what the contract says (HTML, empty, broken or other JSON)
 * - `cancelled`: the user pressed Stop
 */
export type FailureKind =
	| 'configuration'
	| 'unreachable'
	| 'tls'
	| 'timeout'
	| 'interrupted'
	| 'status'
	| 'unreadable'
	| 'cancelled';

export interface FailureDetails {
	kind: FailureKind;
	/** What happened, as a sentence without its stop, for a dispatcher. */
	what: string;
	/** What the user can do now, as a sentence without its stop. */
	advice?: string | undefined;
	/** HTTP status, when there was an answer. */
	status?: number | undefined;
	/** The service's own words, shortened, never with the token. */
	serviceMessage?: string | undefined;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number | undefined;
	/** Method and path that were asked, without query and address. */
	request?: string | undefined;
	/** Which load, carrier or lane the request was about. */
	about?: string | undefined;
	/** Which records of a list were asked for: "records 501 to 1,000". */
	page?: string | undefined;
	/** Error code of the socket, such as ECONNREFUSED. */
	code?: string | undefined;
	/** How often the request was sent, when more than once. */
	attempts?: number | undefined;
	/** The answer broke off in the middle of its data. */
	cutOff?: boolean | undefined;
	/** True when it was stopped before anything was sent. */
	nothingSent?: boolean | undefined;
}

/** Statuses below 500 after which the request may have been carried out all the same. */
const UNCERTAIN_STATUSES = new Set([408, 499]);

/** A request that did not bring what was asked for. Carries nothing secret. */
export class ServiceFailure extends Error {
	readonly details: FailureDetails;

	constructor(details: FailureDetails) {
		super(details.what);
		this.name = 'ServiceFailure';
		this.details = details;
	}

	/** The same failure with more said about it. */
	with(more: Partial<FailureDetails>): ServiceFailure {
		return new ServiceFailure({ ...this.details, ...more });
	}

	/**
	 * Whether it is certain that the service did not act on the request: no connection came about,
	 * or the service refused it (429 and the other 4xx that speak of the request itself).
	 *
	 * Not certain: 408 and 499, which a proxy may send after the service has begun, and redirects
	 * other than 307 and 308, with which a service may answer a request that it has carried out.
	 */
	get nothingHappened(): boolean {
		const { kind, status = 0, nothingSent } = this.details;
		if (kind === 'configuration' || kind === 'unreachable' || kind === 'tls') return true;
		if (kind === 'cancelled') return nothingSent === true;
		if (kind !== 'status') return false;
		if (status === 307 || status === 308) return true;
		return status >= 400 && status < 500 && !UNCERTAIN_STATUSES.has(status);
	}
}
