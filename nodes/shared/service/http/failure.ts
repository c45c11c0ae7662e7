/**
 * How a request failed.
 *
 * - `configuration`: the request or its URL is unusable; nothing was sent
 * - `unreachable`: no connection (refused, name not found, no route); nothing was sent
 * - `tls`: the certificate was not accepted; nothing was sent
 * - `timeout`, `interrupted`: no response; the request may have been processed
 * - `status`: the service responded with an error status
 * - `unreadable`: the response was not what the contract says (HTML, empty, broken or other JSON)
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
	/** What happened, for a dispatcher: a sentence without its period. */
	what: string;
	/** What to do now: a sentence without its period. */
	advice?: string | undefined;
	status?: number | undefined;
	/** What to change under Options, by the option's name; shown where the node has it. */
	changes?: Record<string, string> | undefined;
	/** When the service answered, by its own clock, in Unix milliseconds. */
	answeredAt?: number | undefined;
	/** The service's own words, shortened and without the token. */
	serviceMessage?: string | undefined;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number | undefined;
	/** Method and path of the request, without query and host. */
	request?: string | undefined;
	/** Which load, carrier or lane the request was about. */
	about?: string | undefined;
	/** Which records of a list were requested: "records 501 to 1,000". */
	page?: string | undefined;
	/** The socket's error code, such as ECONNREFUSED. */
	code?: string | undefined;
	/** Number of attempts, if more than one. */
	attempts?: number | undefined;
	/** Whether the response ended in the middle of its data. */
	cutOff?: boolean | undefined;
	/** Whether it was stopped before anything was sent. */
	nothingSent?: boolean | undefined;
}

/** Statuses below 500 after which the request may still have been processed. */
const UNCERTAIN_STATUSES = new Set([408, 499]);

/**
 * The failed request that was caught, for what can go on without it.
 *
 * @throws what was caught, if it is anything else, or the user pressed Stop
 */
export function passingFailure(caught: unknown): ServiceFailure {
	if (caught instanceof ServiceFailure && caught.details.kind !== 'cancelled') return caught;
	throw caught;
}

/** A failed request. Contains no secrets. */
export class ServiceFailure extends Error {
	readonly details: FailureDetails;

	constructor(details: FailureDetails) {
		super(details.what);
		this.name = 'ServiceFailure';
		this.details = details;
	}

	/** Whether the service rejected the request's values. */
	get isRefusal(): boolean {
		const { kind, status, serviceMessage } = this.details;
		if (status === 400 || status === 422) return true;
		return kind === 'unreadable' && serviceMessage !== undefined;
	}

	/** The same failure with more details. */
	with(more: Partial<FailureDetails>): ServiceFailure {
		return new ServiceFailure({ ...this.details, ...more });
	}

	/**
	 * Whether the service certainly did not act on the request: there was no connection, or the
	 * service rejected it (429 and other 4xx about the request itself). Not certain are 408 and 499,
	 * which a proxy may send after the service has started, and redirects other than 307 and 308,
	 * which may be the response to a processed request.
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
