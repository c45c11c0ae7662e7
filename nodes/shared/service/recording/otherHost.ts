import { ServiceFailure, type FailureDetails } from '../http/failure';

/** How file stores respond to a link that is no longer valid. */
const GONE = new Set([400, 401, 403, 404, 410]);

/**
 * What went wrong at a host that is not the service's. The usual advice is about the credential, whose
 * base URL and options are not for it.
 */
export function failureOfOtherHost(error: unknown, host: string): unknown {
	return error instanceof ServiceFailure ? error.with(meaning(error.details, host)) : error;
}

/** Whether a link no longer works, wherever it leads. */
export function isGone(error: unknown): boolean {
	return error instanceof ServiceFailure && GONE.has(error.details.status ?? 0);
}

function meaning({ kind, status = 0 }: FailureDetails, host: string): Partial<FailureDetails> {
	if (kind === 'tls') return { advice: 'Ask the service operator about this recording' };
	if (kind === 'unreachable') {
		return {
			what: `The host of the recording (${host}) could not be reached`,
			advice: 'Try again later, or ask the service operator about this recording',
		};
	}
	if (kind !== 'status' || !GONE.has(status)) return {};
	return {
		what: "The recording's link no longer works",
		advice:
			'It may have expired. Find the recording by its Call ID, which gives a new link. If that fails too, ask the service operator',
	};
}
