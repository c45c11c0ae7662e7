import { servedAt, type ServiceAnswer } from './exchange';
import { ServiceFailure, type RequestName, type FailureDetails } from './failure';
import type { Redaction } from './redaction';
import { serviceMessage } from './serviceWords';

export function unreadable(
	{ method, path, about }: RequestName,
	details: Pick<FailureDetails, 'what'> & Partial<FailureDetails>,
): ServiceFailure {
	const request = `${method} ${path}`;
	const advice =
		'Check the base URL in the credential. If it is right, contact the service operator';
	return new ServiceFailure({ kind: 'unreadable', advice, request, about, ...details });
}

export function describe(text: string, parsed: unknown): string {
	if (text.trim() === '') return 'nothing';
	if (isWebPage(text)) return 'a web page instead of data';
	return parsed === undefined ? 'broken or incomplete data' : 'data in an unexpected format';
}

const CHECK_VALUES = 'Check the values of this item';

type Meaning = Pick<FailureDetails, 'what' | 'advice' | 'changes'>;

const KNOWN: Record<number, Meaning> = {
	400: { what: 'The service did not understand the request', advice: CHECK_VALUES },
	401: {
		what: 'The service rejected the access token',
		advice: 'Check the access token in the credential, or ask the service operator for a new one',
	},
	403: {
		what: 'The service does not allow this request',
		advice: 'Ask the service operator whether your organization is allowed to do this',
	},
	404: {
		what: 'The service could not find what was requested',
		advice: 'Check the base URL in the credential, then the IDs of this item',
	},
	407: {
		what: 'A proxy between n8n and the service asks n8n to sign in',
		advice: 'Ask your n8n administrator',
	},
	408: { what: 'The service timed out waiting for the request', advice: 'Try again later' },
	409: {
		what: 'The request conflicts with an existing record',
		advice: 'Look up the existing record, for example with Call > Get Many',
	},
	422: { what: 'The service rejected the values', advice: CHECK_VALUES },
	429: {
		what: 'The service received too many requests',
		advice: 'Try again later',
		changes: { callsPerMinute: 'lower Calls per Minute' },
	},
};

export function statusFailure(answer: ServiceAnswer, request: RequestName, redaction: Redaction) {
	const { what, ...advised } = meaning(answer, redaction);
	return new ServiceFailure({
		kind: 'status',
		what: `${what} (status ${answer.status})`,
		...advised,
		status: answer.status,
		serviceMessage: serviceMessage(answer.text, redaction),
		retryAfterMs: readRetryAfter(answer.headers, Date.now()),
		request: `${request.method} ${request.path}`,
		about: request.about,
	});
}

function meaning({ status, headers, text }: ServiceAnswer, redaction: Redaction): Meaning {
	if (isRedirect(status)) {
		return {
			what: `The service redirected the request to ${target(headers.location, redaction)}`,
			advice: 'Check the base URL in the credential, or use the redirected URL as the base URL',
		};
	}
	if (status === 404 && (isWebPage(text) || text.trim() === '')) {
		return {
			what: 'The service was not found at the base URL',
			advice: 'Check the base URL in the credential',
		};
	}
	if (status >= 500) {
		return {
			what: 'The service returned a server error',
			advice: 'Try again later. If it keeps failing, contact the service operator',
		};
	}
	return KNOWN[status] ?? { what: 'The service refused the request', advice: CHECK_VALUES };
}

export function isRedirect(status: number): boolean {
	return [301, 302, 303, 307, 308].includes(status);
}

/** The target of a redirect, without its query, which may contain secrets. */
function target(location: unknown, redaction: Redaction): string {
	const text = typeof location === 'string' ? location : '';
	if (!URL.canParse(text)) return 'another URL';
	const { origin, pathname } = new URL(text);
	return redaction.in(`${origin}${pathname}`).slice(0, 200);
}

/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110,
 * 10.2.3), which is compared with the service's own clock (`Date`). Undefined if it is missing or
 * invalid.
 * @param now Unix milliseconds, for a service that doesn't say what time it is
 */
export function readRetryAfter(headers: Record<string, unknown>, now: number): number | undefined {
	const header = headers['retry-after'];
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	// A proxy may have joined two headers: "120, 60".
	const [, seconds] = /^(\d{1,12}(?:\.\d+)?)\s*(?:,|$)/.exec(text) ?? [];
	if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
	// A date contains letters; Date.parse would accept "-1".
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - (servedAt(headers) ?? now));
}

export function isWebPage(text: string): boolean {
	return /^\s*<(!doctype|html)/i.test(text.slice(0, 1000));
}
