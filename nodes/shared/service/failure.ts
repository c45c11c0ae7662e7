export type FailureKind =
	// Nothing was sent: the request is unusable, or there was no connection or no accepted certificate.
	| 'configuration'
	| 'unreachable'
	| 'tls'
	// No response: the request may have been processed.
	| 'timeout'
	| 'interrupted'
	// An error status, or a response that was not what the contract says (HTML, empty, broken).
	| 'status'
	| 'unreadable'
	// The user pressed Stop.
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
	/** The service's own words, shortened and without the token. */
	serviceMessage?: string | undefined;
	retryAfterMs?: number | undefined;
	/** Method and path, without query and host. */
	request?: string | undefined;
	/** Which load, carrier or lane the request was about. */
	about?: string | undefined;
	/** "records 501 to 1,000" */
	page?: string | undefined;
	/** The socket's error code, such as ECONNREFUSED. */
	code?: string | undefined;
	attempts?: number | undefined;
	/** Whether the response ended in the middle of its data. */
	cutOff?: boolean | undefined;
	/** Whether it was stopped before anything was sent. */
	nothingSent?: boolean | undefined;
}

/** Whether something failed because the user pressed Stop. */
export function isStop(caught: unknown): boolean {
	return caught instanceof ServiceFailure && caught.details.kind === 'cancelled';
}

/** The failed request that was caught. @throws what was caught, if it is something else, or Stop */
export function passingFailure(caught: unknown): ServiceFailure {
	if (caught instanceof ServiceFailure && !isStop(caught)) return caught;
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
		return status >= 400 && status < 500 && status !== 408 && status !== 499;
	}
}

/** A request that can't or must not be sent. */
export function unusable(what: string, advice: string): ServiceFailure {
	return new ServiceFailure({ kind: 'configuration', what, advice });
}

export interface RequestName {
	method: string;
	path: string;
	about?: string | undefined;
}

/** Only a failed attempt to connect has these codes. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const TIMEOUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const CANCELLED = new Set(['ERR_CANCELED', 'ABORT_ERR']);

/** Certificates are checked before anything is sent. */
const CERTIFICATE =
	/^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** What an error of n8n's request helper means for the request. */
export function readTransportError(
	error: unknown,
	{ method, path, about }: RequestName,
	{ baseUrl, timeoutMs }: { baseUrl: string; timeoutMs: number },
): ServiceFailure {
	const levels = levelsOf(error);
	const own = levels.find((level) => level instanceof ServiceFailure);
	if (own) return own.with({ about });
	const code = levels.map(codeOf).find((each) => each !== undefined);
	const known = meaning(levels, code ?? '', new URL(baseUrl).host, timeoutMs);
	return new ServiceFailure({ ...known, request: `${method} ${path}`, about, code });
}

function meaning(
	levels: object[],
	code: string,
	host: string,
	timeoutMs: number,
): Pick<FailureDetails, 'kind' | 'what' | 'advice' | 'changes'> {
	const some = (key: string, test: (value: unknown) => boolean) =>
		levels.some((level) => test(Reflect.get(level, key)));
	if (CANCELLED.has(code)) return { kind: 'cancelled', what: 'The execution was canceled' };
	if (some('name', (name) => String(name).startsWith('Ssrf'))) {
		const what = `n8n does not allow requests to ${host}`;
		return { kind: 'configuration', what, advice: 'Ask your n8n administrator to allow this host' };
	}
	if (NOT_CONNECTED.has(code) || some('syscall', (syscall) => syscall === 'connect')) {
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
	if (some('request', isInHandshake)) {
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
	const what = `The connection to ${host} was lost before the response was complete`;
	// A port without TLS has this code, too, if n8n doesn't pass the request on.
	const check =
		code === 'EPROTO' ? 'Check the base URL in the credential, especially the port. ' : '';
	return { kind: 'interrupted', what, advice: `${check}Try again later` };
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

/** An error and those that it wraps: n8n wraps the socket's in one to three, where `cause` isn't enumerable. */
function levelsOf(error: unknown, depth = 0): object[] {
	if (typeof error !== 'object' || error === null || depth > 5) return [];
	const inner = ['cause', 'errorResponse', 'errors'].flatMap((key): unknown =>
		Reflect.get(error, key),
	);
	return [error, ...inner.flatMap((each) => levelsOf(each, depth + 1))];
}

/** n8n 2.0 loses the cause and keeps its code as the `httpCode` (n8n-workflow 2.0, execution-base.error). */
function codeOf(level: object): string | undefined {
	const [code, httpCode] = ['code', 'httpCode'].map((key): unknown => Reflect.get(level, key));
	if (typeof code === 'string' && code !== '') return code;
	return typeof httpCode === 'string' && /^[A-Z_]+$/.test(httpCode) ? httpCode : undefined;
}
