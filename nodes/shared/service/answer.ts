import { ServiceFailure, type FailureDetails } from './failure';
import {
	hasTooManyValues,
	isJsonObject,
	isWebPage,
	MAX_VALUES,
	parseExactJson,
	type JsonObject,
	parseJson,
} from './json';
import type { Redaction } from './redaction';
import type { ServiceAnswer, ServiceRequest } from './request';

/** Deeper data is an attack or a mistake, and n8n's recursive copying can't handle it. */
const MAX_DEPTH = 200;

/**
 * The JSON object of a successful response. Integers above 2^53 are returned as text, with all
 * digits.
 *
 * @throws ServiceFailure of kind `status` for every status except 2xx, `unreadable` for anything
 * but a JSON object (the contract defines neither error bodies nor other successes: 7)
 */
export function readJsonObject(
	answer: ServiceAnswer,
	request: ServiceRequest,
	redaction: Redaction,
): JsonObject {
	if (answer.status < 200 || answer.status > 299) throw statusFailure(answer, request, redaction);
	if (hasTooManyValues(answer.text)) {
		throw new ServiceFailure({
			kind: 'unreadable',
			what: `The service returned more than ${MAX_VALUES.toLocaleString('en-US')} values in one response`,
			advice: 'Choose a shorter time range. If it already is short, contact the service operator',
			request: `${request.method} ${request.path}`,
			about: request.about,
		});
	}
	const parsed = parseExactJson(redaction.in(answer.text));
	if (isJsonObject(parsed) && !isTooDeep(parsed, MAX_DEPTH)) return parsed;
	throw new ServiceFailure({
		kind: 'unreadable',
		what: `The service responded with ${describe(answer.text, parsed)}`,
		advice: 'Check the base URL in the credential. If it is right, contact the service operator',
		status: answer.status,
		request: `${request.method} ${request.path}`,
		about: request.about,
		cutOff: parsed === undefined && /^\s*[{[]/.test(answer.text),
	});
}

function describe(text: string, parsed: unknown): string {
	if (text.trim() === '') return 'nothing';
	if (isWebPage(text)) return 'a web page instead of data';
	if (parsed === undefined) return 'broken or incomplete data';
	if (isJsonObject(parsed)) return 'data nested too deeply';
	return 'data in an unexpected format';
}

/** Visits every value of every response, so it is written for speed. */
function isTooDeep(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	for (const each of inner) if (isTooDeep(each, levels - 1)) return true;
	return false;
}

const CHECK_VALUES = 'Check the values of this item';

type Meaning = Pick<FailureDetails, 'what' | 'advice' | 'changes'>;

const KNOWN: Record<number, Meaning> = {
	304: {
		what: 'The service returned 304 Not Modified without data',
		advice: 'Ask your n8n administrator whether a cache or proxy is in front of the service',
	},
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
		what: 'The service could not find the requested record',
		advice: 'Check the IDs of this item and the base URL in the credential',
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

/** The failure for an error status, with the service's own message. */
export function statusFailure(
	answer: ServiceAnswer,
	request: Pick<ServiceRequest, 'method' | 'path' | 'about'>,
	redaction: Redaction,
): ServiceFailure {
	const { what, ...advised } = meaning(answer, redaction);
	return new ServiceFailure({
		kind: 'status',
		what: `${what} (status ${answer.status})`,
		...advised,
		status: answer.status,
		answeredAt: Date.parse(String(answer.headers.date)) || undefined,
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
	const known = KNOWN[status];
	if (known) return known;
	if (status >= 500) {
		return {
			what: 'The service returned a server error',
			advice: 'Try again later. If it keeps failing, contact the service operator',
		};
	}
	return { what: 'The service refused the request', advice: CHECK_VALUES };
}

/** Whether a status says that something is at another URL. */
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

/** Maximum length of the service's message in an error. */
const MAX_MESSAGE_LENGTH = 300;

/** Longer bodies aren't searched for a message. */
const MAX_BODY_LENGTH = 100_000;

/**
 * The service's own words, from JSON of the usual shapes or from text. The contract doesn't define
 * error bodies (7). Undefined if there are none.
 */
export function serviceMessage(text: string, redaction: Redaction): string | undefined {
	if (text.trim() === '' || text.length > MAX_BODY_LENGTH || /^\s*</.test(text)) return undefined;
	const words = redaction
		.in(wordsOf(parseJson(text)) ?? textOnly(text))
		.replaceAll(/\s+/g, ' ')
		.trim();
	if (words === '') return undefined;
	return words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH)}…` : words;
}

function wordsOf(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return body;
	if (Array.isArray(body) && depth < 4) {
		const words = body.slice(0, 5).map((each) => wordsOf(each, depth + 1));
		return words.filter((each) => each !== undefined).join('; ') || undefined;
	}
	if (!isJsonObject(body) || depth >= 4) return undefined;
	const places = [body.message, body.error, body.detail, body.details, body.errors, body.title];
	return places.map((place) => wordsOf(place, depth + 1)).find((words) => words !== undefined);
}

/** Text that isn't JSON is shown as is. JSON without a message, and binary data, are not for people. */
function textOnly(text: string): string {
	if (text.includes('\0') || text.includes('\uFFFD')) return '';
	return /^\s*[{[]/.test(text) || /^\s*(null|true|false|-?\d+)\s*$/.test(text) ? '' : text;
}

/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110,
 * 10.2.3), which is compared with the service's own clock (`Date`). Undefined if it is missing or
 * invalid.
 *
 * @param now Unix milliseconds, for a service that doesn't say what time it is
 */
export function readRetryAfter(headers: Record<string, unknown>, now: number): number | undefined {
	const header = headers['retry-after'];
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	// A proxy may have joined two headers: "120, 60".
	const [, seconds] = /^(\d{1,12}(?:\.\d+)?)\s*(?:,|$)/.exec(text) ?? [];
	if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
	// A date contains letters; Date.parse would accept "-1".
	if (!/[a-z]/i.test(text)) return undefined;
	const date = Date.parse(text);
	const sentAt = Date.parse(String(headers.date));
	return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(sentAt) ? now : sentAt));
}

/** No one waits longer, such as until a date in the year 2999. */
export const LONGEST_ADVISED_MS = 31 * 86_400_000;

const UNITS = [
	['days', 86_400_000],
	['hours', 3_600_000],
	['minutes', 60_000],
] as const;

/** "90 seconds", "60 minutes": rounded up, so that the wait is long enough. */
export function waitText(ms: number): string {
	const [unit, length] = UNITS.find(([, each]) => ms >= 2 * each) ?? ['seconds', 1000];
	const whole = Math.ceil(ms / length);
	return whole === 1 ? '1 second' : `${whole.toLocaleString('en-US')} ${unit}`;
}
