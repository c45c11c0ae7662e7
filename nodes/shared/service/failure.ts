import type { Connection, ServiceRequest } from './request';

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

/** Only a failed attempt to connect has these codes. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const TIMEOUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const CANCELLED = new Set(['ERR_CANCELED', 'ABORT_ERR']);
const UNUSABLE = new Set(['ERR_INVALID_CHAR', 'ERR_INVALID_URL', 'ERR_UNESCAPED_CHARACTERS']);

/** Certificates are checked before anything is sent. */
const CERTIFICATE =
	/^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Errors of Node's decompression: gzip and deflate, Brotli, Zstandard. */
const DECOMPRESSION = /^(Z_|ERR__ERROR_FORMAT_|ZSTD_)/;

/** Converts an error of n8n's request helper to what it means for the request. */
export function readTransportError(
	error: unknown,
	request: Pick<ServiceRequest, 'method' | 'path' | 'about'>,
	connection: Pick<Connection, 'baseUrl' | 'timeoutMs'>,
): ServiceFailure {
	const own = failureIn(error);
	if (own) return own.with({ about: request.about });
	const levels = levelsOf(error);
	const code = levels.map((level) => level.code).find(isText);
	return new ServiceFailure({
		...meaning(levels, code ?? '', new URL(connection.baseUrl).host, connection.timeoutMs),
		request: `${request.method} ${request.path}`,
		about: request.about,
		code,
	});
}

function meaning(
	levels: Level[],
	code: string,
	host: string,
	timeoutMs: number,
): Pick<FailureDetails, 'kind' | 'what' | 'advice' | 'changes' | 'cutOff'> {
	if (CANCELLED.has(code)) return { kind: 'cancelled', what: 'The execution was canceled' };
	if (UNUSABLE.has(code)) {
		return {
			kind: 'configuration',
			what: 'The request could not be sent',
			advice: 'Check the base URL and the access token in the credential',
		};
	}
	if (levels.some(({ name }) => isText(name) && name.startsWith('Ssrf'))) {
		return {
			kind: 'configuration',
			what: `n8n does not allow requests to ${host}`,
			advice: 'Ask your n8n administrator to allow this host',
		};
	}
	if (NOT_CONNECTED.has(code) || levels.some(({ syscall }) => syscall === 'connect')) {
		return {
			kind: 'unreachable',
			what: `The service at ${host} could not be reached`,
			advice: 'Check the base URL in the credential and whether the service is up',
		};
	}
	if (CERTIFICATE.test(code)) {
		return {
			kind: 'tls',
			what: `The certificate of ${host} was not accepted`,
			advice:
				'Ask the service operator for a valid certificate, or turn on Ignore SSL Issues in the credential',
		};
	}
	if (levels.some(({ request }) => isInHandshake(request))) {
		return {
			kind: 'tls',
			what: `No secure connection to ${host} could be set up`,
			advice: 'Check the base URL in the credential, especially the port',
		};
	}
	if (TIMEOUT.has(code)) {
		const waited = Math.max(1, Math.round(timeoutMs / 1000));
		return {
			kind: 'timeout',
			what: `The service at ${host} did not respond within ${waited === 1 ? '1 second' : `${waited} seconds`}`,
			advice: 'Try again later',
			changes: { timeout: 'raise Timeout (Seconds)' },
		};
	}
	if (DECOMPRESSION.test(code)) {
		return {
			kind: 'unreadable',
			what: "The service's response could not be decompressed",
			advice: 'Try again later. If it keeps failing, contact the service operator',
			cutOff: true,
		};
	}
	return {
		kind: 'interrupted',
		what: `The connection to ${host} was lost before the response was complete`,
		advice: 'Try again later',
	};
}

/** This package's own failure, such as a credential rejected before anything was sent. */
function failureIn(error: unknown, depth = 0): ServiceFailure | undefined {
	if (error instanceof ServiceFailure) return error;
	if (!(error instanceof Error) || depth > 3) return undefined;
	return failureIn(error.cause, depth + 1);
}

interface Level {
	code: unknown;
	syscall: unknown;
	name: unknown;
	request: unknown;
}

/**
 * Whether the TLS handshake was unfinished when the request failed, so nothing was sent. Error
 * codes and messages don't tell: a broken record after the request has the same ones (Node 20.20:
 * "wrong version number"). Node's own https client checks `secureConnecting` too.
 */
function isInHandshake(request: unknown): boolean {
	const socket: unknown = Object(Object(request).socket);
	return Object(socket).secureConnecting === true;
}

/**
 * n8n wraps the socket's error in one to three levels, where `cause` isn't enumerable. n8n 2.0 loses
 * the cause and keeps only its code, as the `httpCode` (n8n-workflow 2.0, execution-base.error).
 */
function levelsOf(error: unknown, depth = 0): Level[] {
	if (typeof error !== 'object' || error === null || depth > 5) return [];
	const read = (key: string): unknown => Reflect.get(error, key);
	const errors = read('errors');
	const inner = [read('cause'), read('errorResponse'), ...(Array.isArray(errors) ? errors : [])];
	return [
		{
			...{ code: read('code') ?? codeIn(read('httpCode')), name: read('name') },
			...{ syscall: read('syscall'), request: read('request') },
		},
		...inner.flatMap((each) => levelsOf(each, depth + 1)),
	];
}

const codeIn = (httpCode: unknown) => (/^[A-Z_]+$/.test(String(httpCode)) ? httpCode : undefined);

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
