import type { ServiceAnswer, ServiceRequest } from './exchange';
import { ServiceFailure, type FailureDetails } from './failure';
import { isJsonObject, isWebPage, parseJson } from './json';
import type { Redaction } from './redaction';
import { readRetryAfter } from './retryAfter';

/** As much of the service's words as a person reads. */
const LONGEST_WORDS = 300;

/** Longer bodies are not looked into for words. */
const LONGEST_BODY = 100_000;

const CHECK_VALUES = 'Check the values of this item against the fields of the node';

const KNOWN: Record<number, Pick<FailureDetails, 'what' | 'advice'>> = {
	400: { what: 'The service does not understand the request', advice: CHECK_VALUES },
	401: {
		what: 'The service does not accept the access token',
		advice: 'Check the access token in the credential, or ask the service operator for a new one',
	},
	403: {
		what: 'The service does not allow this',
		advice: 'Ask the service operator whether your organization may do this',
	},
	404: {
		what: 'The service does not know what was asked for',
		advice: 'Check the IDs of this item and the base URL in the credential',
	},
	408: { what: 'The service stopped waiting for the request', advice: 'Try again later' },
	409: {
		what: 'The request conflicts with something that the service already has',
		advice: 'Look up what the service has, for example with Call > Get Many',
	},
	422: { what: 'The service does not accept the values', advice: CHECK_VALUES },
	429: {
		what: 'The service received too many requests',
		advice: 'Try again later, or lower the number of pages in parallel and items per batch',
	},
};

/** An answer with an error status, as a failure that says what the service said. */
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
		serviceMessage: serviceWords(answer.text, redaction),
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
			what: `The service sends requests on to ${target(headers.location, redaction)}`,
			advice: 'Check the base URL in the credential; enter the address that it sends on to',
		};
	}
	if (status === 404 && (isWebPage(text) || text.trim() === '')) {
		return {
			what: 'There is no such service at the base URL',
			advice: 'Check the base URL in the credential',
		};
	}
	const known = KNOWN[status];
	if (known) return known;
	if (status >= 500) {
		return {
			what: 'The service has a problem of its own',
			advice: 'Try again later; if it stays, tell the service operator',
		};
	}
	return { what: 'The service refused the request', advice: CHECK_VALUES };
}

/** Where a redirect leads, without its query: that may hold secrets. */
function target(location: unknown, redaction: Redaction): string {
	const text = typeof location === 'string' ? location : '';
	if (!URL.canParse(text)) return 'another address';
	const { origin, pathname } = new URL(text);
	return redaction.words(`${origin}${pathname}`).slice(0, 200);
}

/** Error bodies are not defined (contract 7): JSON in the usual shapes, or text. */
function serviceWords(text: string, redaction: Redaction): string | undefined {
	if (text.trim() === '' || text.length > LONGEST_BODY || /^\s*</.test(text)) return undefined;
	const words = redaction
		.words(wordsOf(parseJson(text)) ?? textOnly(text))
		.replaceAll(/\s+/g, ' ')
		.trim();
	if (words === '') return undefined;
	return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words;
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

/** Text that is not JSON is taken as it is; JSON without words in it says nothing to a person. */
function textOnly(text: string): string {
	return /^\s*[{[]/.test(text) || /^\s*(null|true|false|-?\d+)\s*$/.test(text) ? '' : text;
}
