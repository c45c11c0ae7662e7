import type { Redaction } from './credential';
import { ServiceFailure, type FailureDetails, type RequestName } from './failure';
import { isJsonObject, isWebPage, MAX_VALUES, parseExactJson, parseJson, tooMuch } from './json';
import type { JsonObject } from './json';

export interface ServiceAnswer {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

export interface Page {
	/** In the service's order. Anything that is not an object becomes an empty one. */
	rows: JsonObject[];
	/** The number of all rows, if the service reports a readable number. */
	total: number | undefined;
	/** The page size that the service reports (contract 2.1): it may reduce it. */
	appliedLimit?: number | undefined;
	/** What time it was for the service (Unix milliseconds), if it says so. */
	servedAt?: number | undefined;
	/** How long the response was, in characters. */
	length?: number;
}

/**
 * The JSON object of a successful response.
 *
 * @throws ServiceFailure of kind `status` for every status except 2xx, `unreadable` for anything
 * but a JSON object (the contract defines neither error bodies nor other successes: 7)
 */
export function readJsonObject(answer: ServiceAnswer, request: RequestName, redaction: Redaction) {
	const { status, text } = answer;
	if (status < 200 || status > 299) throw statusFailure(answer, request, redaction);
	const excess = tooMuch(text);
	if (excess === 'values') {
		throw unreadable(request, {
			what: `The service returned more than ${MAX_VALUES.toLocaleString('en-US')} values in one response`,
			advice: 'Choose a shorter time range. If it already is short, contact the service operator',
		});
	}
	const parsed = excess ? undefined : parseExactJson(redaction.in(text));
	if (isJsonObject(parsed)) return parsed;
	const instead = excess ? 'data nested too deeply' : describe(text, parsed);
	const cutOff = !excess && parsed === undefined && /^\s*[{[]/.test(text);
	throw unreadable(request, { what: `The service responded with ${instead}`, status, cutOff });
}

function unreadable(
	{ method, path, about }: RequestName,
	details: Pick<FailureDetails, 'what'> & Partial<FailureDetails>,
): ServiceFailure {
	const request = `${method} ${path}`;
	const advice =
		'Check the base URL in the credential. If it is right, contact the service operator';
	return new ServiceFailure({ kind: 'unreadable', advice, request, about, ...details });
}

function describe(text: string, parsed: unknown): string {
	if (text.trim() === '') return 'nothing';
	if (isWebPage(text)) return 'a web page instead of data';
	return parsed === undefined ? 'broken or incomplete data' : 'data in an unexpected format';
}

/**
 * The rows under a key of a response, with what the service says about their list.
 *
 * @throws ServiceFailure if there is no list under the key: with the service's own words, if it
 * gives any (a 200 with `success: false`), else of kind `unreadable`
 */
export function pageOf(body: JsonObject, key: string, redaction: Redaction, request: RequestName) {
	const { [key]: listed, ...others } = body;
	const { pagination } = others;
	// Some services write an empty list as null.
	const rows: unknown = listed === null && isJsonObject(pagination) ? [] : listed;
	const words = serviceMessage(JSON.stringify(others), redaction) ?? '';
	// Without a list, or with an empty one, the service may say why: "Access denied".
	const isReason = Array.isArray(rows)
		? rows.length === 0 && DENIED.test(words)
		: !NO_ERROR.test(words);
	if (isReason || saysItFailed(others)) {
		throw unreadable(request, {
			what: 'The service rejected the request',
			advice: 'Check the values of this item, or try again later',
			serviceMessage: words || undefined,
		});
	}
	if (!Array.isArray(rows) || (rows.length > 0 && !rows.some(isJsonObject))) {
		const what = `The service responded without the requested list "${key}"`;
		throw unreadable(request, { what });
	}
	const { total, limit } = isJsonObject(pagination) ? pagination : {};
	return {
		rows: rows.map((row: unknown) => (isJsonObject(row) ? row : {})),
		total: readCount(total),
		appliedLimit: readCount(limit),
	};
}

/** What no service says next to a list that is empty because there are no records. */
const DENIED =
	/denied|forbidden|unauthori|not (?:allowed|authori|permitted)|permission|invalid|expired|(?:server|database) error/i;

/** How services say that there is no error. */
const NO_ERROR = /^(none|false|null|no|ok|success|0)?$/i;

/** Whether an answer with status 200 reports an error, maybe next to an empty list or a part of one. */
function saysItFailed({ success, ok, status, statusCode, error, errors }: JsonObject): boolean {
	if (success === false || ok === false) return true;
	const isBad = (each: unknown) => /^(error|fail(ed|ure)?|[45]\d\d)$/i.test(String(each));
	const isError = (each: unknown) =>
		typeof each === 'string'
			? !NO_ERROR.test(each.trim())
			: Boolean(each) && !['{}', '[]'].includes(JSON.stringify(each));
	return [status, statusCode].some(isBad) || [error, errors].some(isError);
}

/** Anything that isn't a number of records counts as missing. */
function readCount(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
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

/** Of the service's message in an error, and of bodies that are searched for one. */
const MAX_MESSAGE_LENGTH = 300;
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
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - (servedAt(headers) ?? now));
}

/** What time it was for the service (Unix milliseconds), if it says so. */
export function servedAt({ date }: Record<string, unknown>): number | undefined {
	return Date.parse(String(date)) || undefined;
}
