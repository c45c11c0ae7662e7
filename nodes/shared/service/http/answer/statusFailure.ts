import { ServiceFailure, type FailureDetails } from '../failure';
import { isWebPage } from '../json';
import type { Redaction } from './redaction';
import type { ServiceAnswer, ServiceRequest } from '../request';
import { readRetryAfter } from './retryAfter';
import { serviceMessage } from './serviceMessage';

const CHECK_VALUES = 'Check the values of this item';

type Meaning = Pick<FailureDetails, 'what' | 'advice' | 'changes'>;

const KNOWN: Record<number, Meaning> = {
	304: {
		what: 'The service sent nothing, as if it had been asked for changes only',
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
		changes: {
			pagesInParallel: 'lower Pages in Parallel',
			batchSize: 'lower Items per Batch',
			callsPerMinute: 'lower Calls per Minute',
		},
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
	return redaction.words(`${origin}${pathname}`).slice(0, 200);
}
