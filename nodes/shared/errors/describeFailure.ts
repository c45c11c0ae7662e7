import type { FailureDetails } from '../service/http/failure';

/** The error's description: the service's own words, what to do now, and the request. */
export function describeFailure(details: FailureDetails): string {
	const { serviceMessage, advice } = details;
	const sentences = [
		serviceMessage && `The service said: "${serviceMessage}"`,
		advice,
		asked(details),
	];
	return sentences
		.filter((sentence) => sentence !== undefined && sentence !== '')
		.map((sentence) => (/[.!?…]$/.test(String(sentence)) ? sentence : `${sentence}.`))
		.join(' ');
}

/** "Request: GET /api/v1/calls (load 48213, records 501 to 1,000, tried 5 times, ECONNRESET)" */
function asked({ request, about, page, attempts, code }: FailureDetails): string | undefined {
	if (request === undefined) return undefined;
	const more = [about, page, attempts && `tried ${attempts} times`, code].filter(Boolean);
	return `Request: ${request}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}
