import { ServiceFailure, type FailureDetails } from './failure';
import { isJsonObject, isWebPage, parseJson } from './json';
import type { Redaction } from './redaction';
import type { ServiceAnswer, ServiceRequest } from './request';
import { readRetryAfter } from './retryAfter';

/** How much of the service's message is shown. */
const MAX_MESSAGE_LENGTH = 300;

/** Longer bodies are not searched for a message. */
const MAX_BODY_LENGTH = 100_000;

const CHECK_VALUES = 'Check the values of this item';

const KNOWN: Record<number, Pick<FailureDetails, 'what' | 'advice'>> = {
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
	408: { what: 'The service timed out waiting for the request', advice: 'Try again later' },
	409: {
		what: 'The request conflicts with an existing record',
		advice: 'Look up the existing record, for example with Call > Get Many',
	},
	422: { what: 'The service rejected the values', advice: CHECK_VALUES },
	429: {
		what: 'The service received too many requests',
		advice: 'Try again later, or lower Pages in Parallel and Items per Batch under Options',
	},
};

/** An answer with an error status, as a failure with the service's own message. */
export function statusFailure(
	answer: ServiceAnswer,
	request: Pick<ServiceRequest, 'method' | 'path' | 'about'>,
	redaction: Redaction,
): ServiceFailure {
	const { what, advice } = meaning(answer, redaction);
	return new ServiceFailure({
		kind: 'status',
		what: `${what} (status ${answer.status})`,
		advice,
		status: answer.status,
		serviceMessage: serviceMessage(answer.text, redaction),
		retryAfterMs: readRetryAfter(answer.headers, Date.now()),
		request: `${request.method} ${request.path}`,
		about: request.about,
	});
}

function meaning(
	{ status, headers, text }: ServiceAnswer,
	redaction: Redaction,
): Pick<FailureDetails, 'what' | 'advice'> {
	if (status >= 300 && status < 400) {
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

/** Where a redirect leads, without its query, which may hold secrets. */
function target(location: unknown, redaction: Redaction): string {
	const text = typeof location === 'string' ? location : '';
	if (!URL.canParse(text)) return 'another URL';
	const { origin, pathname } = new URL(text);
	return redaction.words(`${origin}${pathname}`).slice(0, 200);
}

/**
 * The service's own words: error bodies are not defined (contract 7), so JSON in the usual shapes, or
 * text. Undefined if there are none.
 */
export function serviceMessage(text: string, redaction: Redaction): string | undefined {
	if (text.trim() === '' || text.length > MAX_BODY_LENGTH || /^\s*</.test(text)) return undefined;
	const words = redaction
		.words(wordsOf(parseJson(text)) ?? textOnly(text))
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

/** Text that isn't JSON is shown as it is; JSON without a message says nothing to a person. */
function textOnly(text: string): string {
	return /^\s*[{[]/.test(text) || /^\s*(null|true|false|-?\d+)\s*$/.test(text) ? '' : text;
}
